namespace ApexShop.Json;

/// <summary>Media types of which .NET has no constant.</summary>
public static class MediaTypes
{
    /// <summary>Newline-delimited JSON: one value per line.</summary>
    public const string NdJson = "application/x-ndjson";
}
