using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace ApexShop.TestKit.HttpFiles;

/// <summary>A request with its variables filled in.</summary>
public sealed record FilledRequest(
    string Method, string Path, IReadOnlyList<(string Name, string Value)> Headers, string? Body)
{
    public string? Header(string name) => Headers.FirstOrDefault(header => header.Name == name).Value;

    /// <summary>The same request with another value for a header, or without it.</summary>
    public FilledRequest With(string name, string? value)
    {
        var others = Headers.Where(header => header.Name != name);
        return this with { Headers = value is null ? [.. others] : [.. others, (name, value)] };
    }

    public HttpRequestMessage ToMessage()
    {
        var message = new HttpRequestMessage(HttpMethod.Parse(Method), Path);
        if (Body is not null)
        {
            message.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(Body));
            message.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(Header("Content-Type")!);
        }

        foreach (var (name, value) in Headers.Where(header => header.Name != "Content-Type"))
            message.Headers.TryAddWithoutValidation(name, value).ShouldBeTrue();
        return message;
    }
}

/// <summary>
/// Sends the requests of .http files in their order with a key that has every scope.
/// </summary>
public sealed partial class HttpFileRunner(HttpClient http, string key)
{
    private static int stamps;

    private readonly Dictionary<string, (HttpResponseMessage Response, string Text)> responses = [];

    /// <summary>Called with each request before it is sent, and with its response.</summary>
    public Func<HttpFileRequest, FilledRequest, Task> Before { get; init; } = (_, _) => Task.CompletedTask;

    public Func<HttpFileRequest, FilledRequest, HttpResponseMessage, string, Task> After { get; init; } =
        (_, _, _, _) => Task.CompletedTask;

    /// <summary>
    /// The requests of a file one by one; a request that uses an earlier response gets an invented one.
    /// </summary>
    public static IEnumerable<FilledRequest> Alone(HttpFile file, string key)
    {
        var run = new HttpFileRunner(new HttpClient(), key);
        var made = new HttpResponseMessage { Headers = { { "ETag", "\"1\"" } } };
        foreach (var request in file.Requests)
        {
            yield return run.Fill(file, request);
            if (request.Name is { } name)
                run.responses[name] = (
                    made,
                    """
                    {"id":1,"ids":[1,2,3],"items":[],"nextCursor":"of-none","prevCursor":"of-none","token":"of-none",
                    "slug":"of-none"}
                    """);
        }
    }

    /// <summary>The text of a response; of server-sent events, which do not end, the first record.</summary>
    public static async Task<string> TextAsync(HttpResponseMessage response)
    {
        if (response.Content.Headers.ContentType?.MediaType != "text/event-stream")
            return await response.Content.ReadAsStringAsync();
        using var reader = new StreamReader(await response.Content.ReadAsStreamAsync());
        var record = new StringBuilder();
        while (await reader.ReadLineAsync() is { Length: > 0 } line) record.Append(line).Append('\n');
        return record.Append('\n').ToString();
    }

    public async Task RunAsync(HttpFile file)
    {
        responses.Clear();
        foreach (var request in file.Requests)
        {
            var filled = Fill(file, request);
            await Before(request, filled);
            using var message = filled.ToMessage();
            var response = await http.SendAsync(message, HttpCompletionOption.ResponseHeadersRead);
            var text = await TextAsync(response);
            ShouldBeAsExpected(file, request, response, text);
            if (request.Name is { } name) responses[name] = (response, text);
            await After(request, filled, response, text);
        }
    }

    private static void ShouldBeAsExpected(
        HttpFile file, HttpFileRequest request, HttpResponseMessage response, string text)
    {
        var what = $"{file.Path}, {request.Title}: {request.Method} {request.Url}\n{text}";
        if (request.Status is not { } status)
        {
            response.IsSuccessStatusCode.ShouldBeTrue(what);
            return;
        }

        ((int)response.StatusCode).ShouldBe(status, what);
        JsonDocument.Parse(text).RootElement.GetProperty("code").GetString().ShouldBe(request.Code, what);
    }

    private FilledRequest Fill(HttpFile file, HttpFileRequest request) => new(
        request.Method,
        Fill(file, request.Url),
        [.. request.Headers.Select(header => (header.Name, Fill(file, header.Value)))],
        request.Body is { } body ? Fill(file, body) : null);

    private string Fill(HttpFile file, string text) =>
        Placeholder().Replace(text, match => Value(file, match.Groups[1].Value.Trim()));

    private string Value(HttpFile file, string name) => name switch
    {
        "host" => "",
        "$processEnv ADMIN_KEY" => key,
        "$timestamp" => string.Create(
            CultureInfo.InvariantCulture, $"{Environment.ProcessId}-{Interlocked.Increment(ref stamps)}"),
        _ when file.Variables.TryGetValue(name, out var value) => Fill(file, value),
        _ when name.Split(".response.", 2) is [var earlier, var part] =>
            OfResponse(responses[earlier].Response, responses[earlier].Text, part),
        _ => throw new FormatException($"{file.Path}: there is no {name}"),
    };

    private static string OfResponse(HttpResponseMessage response, string text, string part)
    {
        if (part.StartsWith("headers.", StringComparison.Ordinal))
            return response.Headers.GetValues(part["headers.".Length..]).Single();
        var value = JsonDocument.Parse(text).RootElement;
        foreach (var step in part["body.$.".Length..].Split('.'))
        {
            value = Step().Match(step) is { Success: true, Groups: [_, var name, var index] }
                ? value.GetProperty(name.Value)[int.Parse(index.Value, CultureInfo.InvariantCulture)]
                : value.GetProperty(step);
        }

        return value.ToString();
    }

    [GeneratedRegex(@"\{\{(.+?)\}\}")]
    private static partial Regex Placeholder();

    [GeneratedRegex(@"^(\w+)\[(\d+)\]$")]
    private static partial Regex Step();
}
