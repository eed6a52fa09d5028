namespace ApexShop.Load.Scenarios;

/// <summary>Counts the documents of a stream without keeping its bytes.</summary>
internal interface IDocumentCount
{
    long Documents { get; }

    /// <summary>Whether a stream may end here: not within a document and not before its closing bracket.</summary>
    bool IsComplete { get; }

    void Read(ReadOnlySpan<byte> bytes);

    static IDocumentCount Of(string mediaType) => mediaType switch
    {
        "application/x-ndjson" => new LineCount(),
        "application/x-msgpack" => new MessagePackCount(),
        _ => new ArrayCount(),
    };
}

/// <summary>Counts one object a line.</summary>
internal sealed class LineCount : IDocumentCount
{
    private byte last = (byte)'\n';

    public long Documents { get; private set; }

    public bool IsComplete => last == '\n';

    public void Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return;
        Documents += bytes.Count((byte)'\n');
        last = bytes[^1];
    }
}

/// <summary>Counts the objects of one array.</summary>
internal sealed class ArrayCount : IDocumentCount
{
    private int depth;
    private bool inText;
    private bool escaped;
    private bool closed;

    public long Documents { get; private set; }

    public bool IsComplete => closed;

    public void Read(ReadOnlySpan<byte> bytes)
    {
        foreach (var one in bytes)
        {
            if (escaped) escaped = false;
            else if (inText) (escaped, inText) = (one == '\\', one != '"');
            else if (one == '"') inText = true;
            else if (one is (byte)'{' or (byte)'[') depth++;
            else if (one is (byte)'}' or (byte)']') Close();
        }
    }

    private void Close()
    {
        depth--;
        if (depth == 1) Documents++;
        closed = depth == 0;
    }
}
