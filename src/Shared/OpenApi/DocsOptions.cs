namespace ApexShop.OpenApi;

/// <summary>Section <c>Docs</c>: whether the API shows its description and the page over it.</summary>
public sealed class DocsOptions
{
    public const string Section = "Docs";

    public bool Enabled { get; set; } = true;
}
