using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using ApexShop.Commands.Api.Limits;
using ApexShop.Json;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.Extensions.Options;
using Microsoft.Net.Http.Headers;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>The media types of a list.</summary>
internal static class ItemFormat
{
    public const string Array = "application/json";

    public static bool TryRead<T>(HttpContext http, [NotNullWhen(true)] out ItemReader<T>? items)
    {
        var options = http.RequestServices.GetRequiredService<IOptions<JsonOptions>>().Value.SerializerOptions;
        var limits = http.RequestServices.GetRequiredService<IOptions<LimitOptions>>().Value;
        // The same limits as for a single body.
        var json = new JsonReaderOptions { MaxDepth = options.MaxDepth };
        var type = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
        items = SplitterFor(http.Request.ContentType, json) is { } splitter
            ? new ItemReader<T>(http.Request.BodyReader, splitter, json, type, limits)
            : null;
        return items is not null;
    }

    private static IItemSplitter? SplitterFor(string? contentType, JsonReaderOptions json)
    {
        if (!MediaTypeHeaderValue.TryParse(contentType, out var type)) return null;
        if (type.Charset.HasValue && !type.Charset.Equals("utf-8", StringComparison.OrdinalIgnoreCase)) return null;
        if (type.MediaType.Equals(Array, StringComparison.OrdinalIgnoreCase)) return new JsonArraySplitter(json);
        return type.MediaType.Equals(MediaTypes.NdJson, StringComparison.OrdinalIgnoreCase)
            ? new NdJsonSplitter(json)
            : null;
    }
}
