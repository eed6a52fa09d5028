using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;
using ApexShop.ReadModels;
using static System.FormattableString;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>The parts of the page that show one product, as markup. Its texts are encoded here.</summary>
internal static class ProductMarkup
{
    private const int DescriptionLength = 160;

    private static readonly HtmlEncoder html = HtmlEncoder.Create(UnicodeRanges.All);

    public static Dictionary<string, string> Of(ProductView product, string path)
    {
        // The page's policy permits no pictures of other origins.
        var image = product.Images.FirstOrDefault(one => IsOwn(one.Url));
        var (state, stock) = StockOf(product);
        return new()
        {
            ["title"] = html.Encode($"{product.Name} - ApexShop"),
            ["head"] = Head(product, path, image),
            ["article"] = """data-state="ready" """,
            ["picture"] = image is null ? "" : Picture(image),
            ["categoryPath"] = Invariant($"/?categoryId={product.Category.Id}"),
            ["category"] = Text(product.Category.Name),
            ["name"] = html.Encode(product.Name),
            ["stars"] = product.Rating.Count == 0 ? "hidden"
                : Invariant($"""aria-label="{product.Rating.Average:0.#} of 5 stars" """),
            ["count"] = product.Rating.Count == 0 ? "No reviews yet" : Invariant($"({product.Rating.Count})"),
            ["price"] = product.Currency == "USD"
                ? Invariant($"${product.Price:N2}")
                : html.Encode(Invariant($"{product.Price:N2} {product.Currency}").TrimEnd()),
            ["state"] = state,
            ["stock"] = stock,
            ["description"] = Text(product.Description),
        };
    }

    private static string Picture(ProductImage image)
    {
        var size = Invariant($"""width="{image.Width}" height="{image.Height}" """);
        return $"""<img src="{html.Encode(image.Url)}" {size}alt="{Text(image.Alt)}">""";
    }

    private static string Head(ProductView product, string path, ProductImage? image)
    {
        var description = product.Description ?? product.Name;
        if (description.Length > DescriptionLength) description = Beginning(description);
        // A relative address is right behind every proxy; the Host of a request is not always the shop's.
        return $"""
            <meta name="description" content="{html.Encode(description)}">
              <link rel="canonical" href="{html.Encode(path)}">
              <script type="application/ld+json">{Structured(product, path, image)}</script>
            """;
    }

    // A character of two units is not divided.
    private static string Beginning(string text) =>
        text[..(char.IsHighSurrogate(text[DescriptionLength - 1]) ? DescriptionLength - 1 : DescriptionLength)];

    // The writer's encoder escapes "<" and every character that is not ASCII.
    private static string Structured(ProductView product, string path, ProductImage? image)
    {
        using var output = new MemoryStream();
        using (var json = new Utf8JsonWriter(output))
        {
            json.WriteStartObject();
            json.WriteString("@context", "https://schema.org");
            json.WriteString("@type", "Product");
            json.WriteString("name", product.Name);
            if (product.Description is not null) json.WriteString("description", product.Description);
            if (product.Sku is not null) json.WriteString("sku", product.Sku);
            if (image is not null) json.WriteString("image", image.Url);
            if (product.Category.Name is { } category) json.WriteString("category", category);
            WriteOffer(json, product, path);
            if (product.Rating.Count > 0) WriteRating(json, product.Rating);
            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(output.ToArray());
    }

    private static void WriteOffer(Utf8JsonWriter json, ProductView product, string path)
    {
        var availability = !product.IsActive ? "Discontinued" : product.Stock > 0 ? "InStock" : "OutOfStock";
        json.WriteStartObject("offers");
        json.WriteString("@type", "Offer");
        json.WriteString("url", path);
        json.WriteString("price", product.Price.ToString("0.00", CultureInfo.InvariantCulture));
        if (product.Currency.Length > 0) json.WriteString("priceCurrency", product.Currency);
        json.WriteString("availability", $"https://schema.org/{availability}");
        json.WriteEndObject();
    }

    private static void WriteRating(Utf8JsonWriter json, Rating rating)
    {
        json.WriteStartObject("aggregateRating");
        json.WriteString("@type", "AggregateRating");
        json.WriteNumber("ratingValue", rating.Average);
        json.WriteNumber("reviewCount", rating.Count);
        json.WriteEndObject();
    }

    // The same words as those of showStock in views.js.
    private static (string State, string Words) StockOf(ProductView product) => product switch
    {
        { IsActive: false } => ("none", "No longer sold"),
        { Stock: 0 } => ("none", "Sold out"),
        { Stock: <= 5 } => ("few", Invariant($"Only {product.Stock} left")),
        _ => ("some", "In stock"),
    };

    private static bool IsOwn(string url) =>
        url.StartsWith('/') && !url.StartsWith("//", StringComparison.Ordinal);

    private static string Text(string? text) => text is null ? "" : html.Encode(text);
}
