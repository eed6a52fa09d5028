using System.Diagnostics;
using System.Text.Json;

namespace ApexShop.TestKit;

/// <summary>
/// Reads MessagePack with an independent decoder, Debian's python3-msgpack. It also encodes the decoded values
/// again, so that bytes which are not the shortest encoding are an error.
/// </summary>
public static class PythonMessagePack
{
    private const string Script = """
        import datetime, json, sys, msgpack

        def tagged(value):
            if not isinstance(value, msgpack.Timestamp): raise TypeError(repr(value))
            second = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=value.seconds)
            fraction = ('.%09d' % value.nanoseconds).rstrip('0').rstrip('.')
            return {'timestamp': second.isoformat() + fraction + 'Z'}

        data = sys.stdin.buffer.read()
        stream = msgpack.Unpacker(raw=False, max_buffer_size=0)
        stream.feed(data)
        packed = 0
        for value in stream:
            again = msgpack.packb(value)
            if again != data[packed:packed + len(again)]: sys.exit('not the shortest form, from byte %d on' % packed)
            packed += len(again)
            print(json.dumps(value, default=tagged))
        if packed != len(data): sys.exit('%d bytes left' % (len(data) - packed))
        """;

    // Only Debian's interpreter finds Debian's packages; the PATH may have another one.
    private const string Python = "/usr/bin/python3";

    /// <summary>
    /// The values of a stream one after the other as JSON; a timestamp is an object of one member, <c>timestamp</c>.
    /// </summary>
    public static async Task<IReadOnlyList<JsonElement>> DecodeAsync(ReadOnlyMemory<byte> stream)
    {
        var start = new ProcessStartInfo(File.Exists(Python) ? Python : "python3", ["-c", Script])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var python = Process.Start(start)!;
        var (lines, errors) = (python.StandardOutput.ReadToEndAsync(), python.StandardError.ReadToEndAsync());
        await python.StandardInput.BaseStream.WriteAsync(stream);
        python.StandardInput.Close();
        await python.WaitForExitAsync();
        if (python.ExitCode != 0) throw new FormatException(await errors);
        return [
            .. (await lines).Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonElement.Parse(line)),
        ];
    }

    /// <summary>
    /// Whether a decoded value equals JSON: names and their order, texts, amounts, and a time in UTC as a
    /// timestamp where the member's name ends in <c>Date</c>, and nowhere else.
    /// </summary>
    public static bool AreEqual(JsonElement packed, JsonElement json, bool isDate = false) => json.ValueKind switch
    {
        JsonValueKind.Object => packed.ValueKind == JsonValueKind.Object && SaysMembers(packed, json),
        JsonValueKind.Array => packed.ValueKind == JsonValueKind.Array
            && packed.GetArrayLength() == json.GetArrayLength()
            && packed.EnumerateArray().Zip(json.EnumerateArray()).All(pair => AreEqual(pair.First, pair.Second)),
        JsonValueKind.Number => packed.ValueKind == JsonValueKind.Number && packed.GetDecimal() == json.GetDecimal(),
        JsonValueKind.String when isDate && json.GetString()!.EndsWith('Z') =>
            packed.ValueKind == JsonValueKind.Object && packed.GetProperty("timestamp").GetString() == json.GetString(),
        JsonValueKind.String => packed.ValueKind == JsonValueKind.String && packed.GetString() == json.GetString(),
        _ => packed.ValueKind == json.ValueKind,
    };

    private static bool SaysMembers(JsonElement packed, JsonElement json) =>
        packed.GetPropertyCount() == json.GetPropertyCount()
        && packed.EnumerateObject().Zip(json.EnumerateObject()).All(pair =>
            pair.First.Name == pair.Second.Name
            && AreEqual(
                pair.First.Value, pair.Second.Value, pair.Second.Name.EndsWith("Date", StringComparison.Ordinal)));
}
