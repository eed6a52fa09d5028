namespace ApexShop.Commands.Api.Limits;

/// <summary>Limits that are part of the contract and cannot be configured.</summary>
internal static class FixedLimits
{
    public const int Name = 200;
    public const int Description = 2000;
    public const int Sku = 64;

    /// <summary>Images of one product.</summary>
    public const int Images = 10;

    public const int ImageUrl = 2048;
    public const int ImageText = 300;

    /// <summary>Pixels of an image's width, and of its height.</summary>
    public const int ImageSide = 20_000;

    public const int Comment = 2000;
    public const int Email = 254;
    public const int PersonName = 100;
    public const int PhoneNumber = 32;
    public const int PasswordAtLeast = 8;
    public const int Password = 128;
    public const int ShippingAddress = 500;
    public const int TrackingNumber = 100;

    /// <summary>Items of one order.</summary>
    public const int OrderItems = 100;

    /// <summary>Depth of nested objects and arrays.</summary>
    public const int JsonDepth = 32;
}
