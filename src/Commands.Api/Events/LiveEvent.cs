using System.Buffers;
using System.Text;
using ApexShop.Events;

namespace ApexShop.Commands.Api.Events;

/// <summary>An event with its record of server-sent events, which is written once for all followers.</summary>
internal sealed class LiveEvent
{
    private readonly byte[] record;

    public LiveEvent(LogEntry entry)
    {
        var output = new ArrayBufferWriter<byte>(entry.Data.Length + 512);
        // An event is one line of JSON, so it needs one data line.
        Encoding.UTF8.GetBytes(
            FormattableString.Invariant($"id: {entry.LogId}:{entry.Position}\nevent: {entry.Type}\ndata: "), output);
        CloudEvents.Write(output, entry);
        output.Write("\n\n"u8);
        (Entry, record) = (entry, output.WrittenSpan.ToArray());
    }

    public LogEntry Entry { get; }

    public ReadOnlySpan<byte> Record => record;

    /// <summary>The bytes that it needs in memory, about.</summary>
    public int Size => Entry.Data.Length + record.Length;
}
