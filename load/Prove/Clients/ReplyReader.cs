using System.Text.Json;
using ApexShop.Prove.Histories;

namespace ApexShop.Prove.Clients;

/// <summary>Reads from a response what it promises.</summary>
internal static class ReplyReader
{
    /// <summary>
    /// In place of a code: a response with success that arrived as a whole and is not what it should be.
    /// </summary>
    public const string Malformed = "body.malformed";

    private static readonly string[] undone = ["lock.timeout", "idempotency.in_progress"];

    public static Attempt Read(Attempt attempt, Reply? reply)
    {
        if (reply is null) return attempt with { Outcome = Outcome.Unknown };
        attempt = attempt with { Status = reply.Status, Replayed = reply.IsReplayed };
        if (reply.Status >= 300) return Refusal(attempt, reply);
        try
        {
            var isRead = History.OperationOf(attempt).IsRead;
            return isRead ? SightReader.Read(attempt, reply.Text) : Success(attempt, reply);
        }
        catch (Exception other) when (other is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            // One that was cut off is no reply.
            return attempt with { Outcome = Outcome.Unknown, Code = Malformed };
        }
    }

    /// <summary>The token of a chunk: a response in lines has one in each line and none in its header.</summary>
    public static string? TokenIn(string text) => text.StartsWith("{\"chunk\"", StringComparison.Ordinal)
        ? Text(Parse(text.Split('\n')[0]), "consistencyToken")
        : null;

    private static Attempt Refusal(Attempt attempt, Reply reply)
    {
        var json = Parse(reply.Text);
        var code = Text(json, "code");
        if (History.OperationOf(attempt).IsRead && code == "document.not_found")
            return SightReader.Absent(attempt) with { Code = code };
        var isOpen = reply.Status >= 500 && !undone.Contains(code);
        return attempt with
        {
            Outcome = isOpen ? Outcome.Unknown : Outcome.Refused, Code = code, Answer = AnswerOf(reply),
            Current = json is { } problem && problem.TryGetProperty("version", out var version)
                && version.ValueKind == JsonValueKind.Number ? version.GetInt64() : null,
        };
    }

    private static Attempt Success(Attempt attempt, Reply reply)
    {
        var operation = History.OperationOf(attempt);
        if (attempt.Operation == "products.bulk-replace") return Chunks(attempt, reply);
        var json = Parse(reply.Text);
        Saved Named(JsonElement one) =>
            new(operation.Resource, one.GetProperty("id").GetInt32(), one.GetProperty("version").GetInt64());
        attempt = attempt with { Outcome = Outcome.Acknowledged, Answer = AnswerOf(reply) };
        return operation.Effect switch
        {
            Effect.Create or Effect.Replace => attempt with { Saved = [Named(json!.Value)] },
            Effect.BulkCreate => attempt with
            {
                Saved = [.. json!.Value.GetProperty("ids").EnumerateArray()
                    .Select(id => new Saved(operation.Resource, id.GetInt32(), 1))],
            },
            Effect.BulkReplace => attempt with
                { Saved = [.. json!.Value.GetProperty("items").EnumerateArray().Select(Named)] },
            Effect.BulkDelete => attempt with { Counted = json!.Value.GetProperty("deleted").GetInt32() },
            Effect.Login => attempt with { LoggedIn = json!.Value.GetProperty("customerId").GetInt32() },
            Effect.Select => attempt with { Counted = json!.Value.EnumerateObject().First().Value.GetInt32() },
            _ => attempt,
        };
    }

    /// <summary>The list is one chunk: a line with its items or its problem, and a last line.</summary>
    private static Attempt Chunks(Attempt attempt, Reply reply)
    {
        var lines = reply.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(Parse).ToList();
        if (lines is not [{ } chunk, { } summary] || !summary.TryGetProperty("done", out _))
            return attempt with { Outcome = Outcome.Unknown, Code = Malformed };
        if (chunk.TryGetProperty("problem", out var problem))
        {
            var status = problem.GetProperty("status").GetInt32();
            return attempt with
            {
                Status = status, Code = Text(problem, "code"),
                Outcome = status >= 500 && Text(problem, "code") != "lock.timeout" ? Outcome.Unknown : Outcome.Refused,
            };
        }

        return attempt with
        {
            Outcome = Outcome.Acknowledged,
            Saved = [.. chunk.GetProperty("items").EnumerateArray().Select(item =>
                new Saved(Kinds.Products, item.GetProperty("id").GetInt32(), item.GetProperty("version").GetInt64()))],
        };
    }

    // Everything that a stored answer repeats; the trace id of a problem is that of the current request.
    private static long AnswerOf(Reply reply)
    {
        var text = reply.Text;
        var trace = text.IndexOf("\"traceId\"", StringComparison.Ordinal);
        if (trace >= 0) text = text[..trace] + text[(text.IndexOfAny([',', '}'], trace) + 1)..];
        return Hash.Of($"{reply.Status} {reply.ETag} {text}");
    }

    private static JsonElement? Parse(string text) =>
        text.Length > 0 && text[0] is '{' or '[' ? JsonElement.Parse(text) : null;

    private static string? Text(JsonElement? json, string name) =>
        json is { ValueKind: JsonValueKind.Object } one && one.TryGetProperty(name, out var value)
            ? value.ToString()
            : null;
}
