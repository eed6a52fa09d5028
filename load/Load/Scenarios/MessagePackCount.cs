namespace ApexShop.Load.Scenarios;

/// <summary>
/// Counts the values of a MessagePack stream by their length prefixes, for any split of the bytes into pieces.
/// </summary>
internal sealed class MessagePackCount : IDocumentCount
{
    private readonly Stack<long> open = new();
    private long skip;
    private int lengthBytes;
    private long length;
    private byte tag;

    public long Documents { get; private set; }

    public bool IsComplete => skip == 0 && lengthBytes == 0 && open.Count == 0;

    public void Read(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (skip > 0)
            {
                var passed = (int)Math.Min(skip, bytes.Length);
                bytes = bytes[passed..];
                skip -= passed;
                if (skip == 0) End();
                continue;
            }

            if (lengthBytes > 0)
            {
                length = (length << 8) | bytes[0];
                if (--lengthBytes == 0) Begin();
            }
            else
            {
                Tag(bytes[0]);
            }

            bytes = bytes[1..];
        }
    }

    private void Tag(byte value)
    {
        (tag, length) = (value, 0);
        lengthBytes = value switch
        {
            0xC4 or 0xC7 or 0xD9 => 1,
            0xC5 or 0xC8 or 0xDA or 0xDC or 0xDE => 2,
            0xC6 or 0xC9 or 0xDB or 0xDD or 0xDF => 4,
            _ => 0,
        };
        if (lengthBytes == 0) Begin();
    }

    // The tag and its length are read; that many bytes or values follow.
    private void Begin()
    {
        var values = tag switch
        {
            >= 0x80 and <= 0x8F => 2 * (tag & 0x0F),
            >= 0x90 and <= 0x9F => tag & 0x0F,
            0xDC or 0xDD => length,
            0xDE or 0xDF => 2 * length,
            _ => 0,
        };
        skip = tag switch
        {
            >= 0xA0 and <= 0xBF => tag & 0x1F,
            0xC4 or 0xC5 or 0xC6 or 0xD9 or 0xDA or 0xDB => length,
            0xC7 or 0xC8 or 0xC9 => length + 1,
            0xCC or 0xD0 => 1,
            0xCD or 0xD1 => 2,
            0xCA or 0xCE or 0xD2 => 4,
            0xCB or 0xCF or 0xD3 => 8,
            >= 0xD4 and <= 0xD8 => 1 + (1 << (tag - 0xD4)),
            0xC1 => throw new FormatException("Tag C1 is never used in MessagePack."),
            _ => 0,
        };
        if (values > 0) open.Push(values);
        else if (skip == 0) End();
    }

    private void End()
    {
        while (open.TryPop(out var left))
        {
            if (left == 1) continue;
            open.Push(left - 1);
            return;
        }

        Documents++;
    }
}
