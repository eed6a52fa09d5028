namespace ApexShop.OpenApi;

/// <summary>Section <c>Docs</c>: whether the API serves its OpenAPI document and the page that shows it.</summary>
public sealed class DocsOptions
{
    public const string Section = "Docs";

    /// <summary>Whether the API serves its OpenAPI document and the page that shows it.</summary>
    public bool Enabled { get; set; } = true;
}
