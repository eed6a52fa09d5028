using System.Globalization;

namespace ApexShop.Resources;

/// <summary>The pictures of the sample shop: its products name them, and Queries.Api draws them.</summary>
public static class SamplePictures
{
    /// <summary>The numbers are 1 to this.</summary>
    public const int Count = 400;

    public const string Route = "/images/product-{number}.svg";

    public static string PathOf(int number) =>
        Route.Replace("{number}", number.ToString(CultureInfo.InvariantCulture), StringComparison.Ordinal);
}
