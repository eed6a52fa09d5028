using System.Globalization;
using System.Text;
using ApexShop.Commands.Api.Tests.Hosting;
using FsCheck;
using FsCheck.Fluent;

namespace ApexShop.Commands.Api.Tests.Fuzz;

/// <summary>One generated request.</summary>
internal sealed record FuzzRequest(
    string Method, string Path, string ContentType, byte[]? Body, string? IfMatch, string? IdempotencyKey)
{
    public HttpRequestMessage ToMessage()
    {
        var message = new HttpRequestMessage(HttpMethod.Parse(Method), Path);
        if (Body is not null)
        {
            message.Content = new ByteArrayContent(Body);
            message.Content.Headers.TryAddWithoutValidation("Content-Type", ContentType);
        }

        if (IfMatch is not null) message.Headers.TryAddWithoutValidation("If-Match", IfMatch);
        if (IdempotencyKey is not null) message.Headers.TryAddWithoutValidation("Idempotency-Key", IdempotencyKey);
        return message;
    }

    public override string ToString() =>
        $"{Method} {Path} If-Match: {IfMatch} Idempotency-Key: {IdempotencyKey} Content-Type: "
        + $"{ContentType}\n{Encoding.Latin1.GetString(Body ?? [])}";
}

/// <summary>
/// Requests for one endpoint, whatever it is: its body's type, its route and its query tell how they look.
/// </summary>
internal static class FuzzRequests
{
    private static Gen<string> RouteId { get; } = Gen.Frequency(
        (10, from id in Gen.Choose(1, 40) select id.ToString(CultureInfo.InvariantCulture)),
        (1, Gen.Elements("0", "-1", "2147483647", "2147483648", "1e3", "007", "%0A", "abc", "1%2F2", "%C0%AF")));

    private static Gen<string?> IfMatch { get; } = Gen.Frequency(
        (8, Gen.Constant<string?>(null)),
        (1, Gen.Elements<string?>("*", "\"1\"", "\"2\"", "W/\"1.x\"", "\"", ",", "1", "\"99999999999999999999\"")));

    private static Gen<string?> Key { get; } = Gen.Frequency(
        (12, Gen.Constant<string?>(null)), (1, from key in Gen.Choose(1, 300) select (string?)$"key-{key}"),
        (1, Gen.Elements<string?>("", " ", "a b", new string('k', 256))));

    private static Gen<string> ContentType { get; } = Gen.Frequency(
        (30, Gen.Constant("application/json")),
        (1, Gen.Elements(
            "application/json; charset=utf-16", "application/json; charset=nonsense", "application/json; charset=",
            "application/json; charset=utf-8; charset=nonsense",
            "text/json", "text/plain", "*/*", "application/xml", ";")));

    public static Gen<FuzzRequest> For(EndpointTarget target) =>
        from path in PathOf(target)
        from type in ContentType
        from body in target.Body is { } body
            ? BodyOf(body, target.IsList)
            : Gen.Constant<(byte[]? Bytes, bool IsLines)>((null, false))
        from ifMatch in IfMatch
        from key in Key
        select new FuzzRequest(
            target.Method, path, body.IsLines ? "application/x-ndjson" : type, body.Bytes, ifMatch, key);

    private static Gen<string> PathOf(EndpointTarget target) =>
        from segments in Gen.CollectToArray(
            target.Pattern.Split('/'), segment => segment.StartsWith('{') ? RouteId : Gen.Constant(segment))
        from values in Gen.CollectToArray(
            target.Query, _ =>
                Gen.Frequency((1, JsonTexts.Number), (1, Gen.Elements("30", "365", "", "99999999999", "3652059"))))
        select string.Join('/', segments) + (
            target.Query.Count == 0
                ? ""
                : "?" + string.Join(
                    '&', target.Query.Zip(values, (name, value) => $"{name}={Uri.EscapeDataString(value)}")));

    private static Gen<(byte[]? Bytes, bool IsLines)> BodyOf(Type type, bool isList)
    {
        var one = BodyTexts.Of(type);
        var lines = from items in Gen.ArrayOf(one, 3) select (string.Join('\n', items), true);
        var array = from list in JsonTexts.List(one, 5) select (list, false);
        var right = isList ? Gen.Frequency((1, lines), (3, array)) : from text in one select (text, false);
        var texts = Gen.Frequency(
            (20, right),
            (4, from text in JsonTexts.Any select (text, false)),
            (1, from text in JsonTexts.Deep select (text, false)));
        return from text in texts from bytes in Spoilt(text.Item1) select ((byte[]?)bytes, text.Item2);
    }

    // Cut short, with something after the end, with a byte that is no UTF-8, or nothing but noise.
    private static Gen<byte[]> Spoilt(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        return Gen.Frequency(
            (30, Gen.Constant(bytes)),
            (1, from length in Gen.Choose(0, bytes.Length) select bytes[..length]),
            (1, Gen.Constant<byte[]>([.. bytes, (byte)'}'])),
            (1, Gen.Constant<byte[]>([0xEF, 0xBB, 0xBF, .. bytes])),
            (1, from at in Gen.Choose(0, bytes.Length)
                from noise in Gen.Choose(0, 255)
                select (byte[])[.. bytes[..at], (byte)noise, .. bytes[at..]]),
            (1, from noise in Gen.ArrayOf(Gen.Choose(0, 255), 40)
                select noise.Select(number => (byte)number).ToArray()));
    }
}
