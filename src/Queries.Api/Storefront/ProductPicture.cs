using System.Globalization;
using System.Text;
using ApexShop.Hosting;
using ApexShop.Requests;
using ApexShop.Resources;

namespace ApexShop.Queries.Api.Storefront;

/// <summary>
/// GET /images/product-N.svg: the pictures of the sample shop, drawn from their number alone. A picture never changes,
/// so a browser keeps it for a year without a request. A storefront of another origin shows it too.
/// </summary>
internal static class ProductPicture
{
    public static Task SendAsync(HttpContext http)
    {
        if (!WholeNumber.TryParse((string?)http.Request.RouteValues["number"], out var number)
            || number is < 1 or > SamplePictures.Count)
        {
            http.Response.StatusCode = StatusCodes.Status404NotFound;
            return Task.CompletedTask;
        }

        var headers = http.Response.Headers;
        headers.CacheControl = "public, max-age=31536000, immutable";
        WebPageHeaders.Harden(headers, "default-src 'none'; frame-ancestors 'none'");
        headers["Cross-Origin-Resource-Policy"] = "cross-origin";
        return TypedResults.Bytes(Encoding.ASCII.GetBytes(Draw((int)number)), "image/svg+xml").ExecuteAsync(http);
    }

    // A sky, a sun, a hill and a box, in colours beside each other.
    private static string Draw(int number)
    {
        // The seed makes a picture the same in every process.
        var random = new Random(number);
        var hue = random.Next(360);
        var (x, y, radius) = (random.Next(120, 680), random.Next(90, 330), random.Next(60, 150));
        var (left, width, turn) = (random.Next(180, 420), random.Next(150, 300), random.Next(-20, 20));
        return string.Create(CultureInfo.InvariantCulture, $"""
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">
            <rect width="800" height="600" fill="hsl({hue},45%,88%)"/>
            <circle cx="{x}" cy="{y}" r="{radius}" fill="hsl({hue + 30},60%,75%)"/>
            <path d="M0 600V{random.Next(360, 520)}Q400 {random.Next(240, 480)} 800 {random.Next(360, 520)}V600Z"
              fill="hsl({hue + 15},35%,70%)"/>
            <rect x="{left}" y="{random.Next(220, 340)}" width="{width}" height="{random.Next(140, 240)}"
              rx="{random.Next(60)}" transform="rotate({turn} 400 340)" fill="hsl({hue},50%,45%)"/>
            </svg>
            """);
    }
}
