using System.Buffers;
using ApexShop.Events;
using ApexShop.Projector.Documents;
using ApexShop.Projector.Products;
using ApexShop.Projector.Projecting;
using BenchmarkDotNet.Attributes;

namespace ApexShop.Micro;

/// <summary>
/// The Projector's work on a message before its database statements: the envelope alone, and with the states.
/// </summary>
[MemoryDiagnoser]
public class Batches
{
    private const int Events = 100;

    private readonly ProductProjection projection = new("USD");
    private byte[] message = [];

    [GlobalSetup]
    public void Write()
    {
        var output = new ArrayBufferWriter<byte>();
        // Each product changes twice.
        CloudEvents.WriteBatch(
            output, Enumerable.Range(1, Events).Select(position => Samples.Event(position, position / 2)));
        message = output.WrittenSpan.ToArray();
    }

    [Benchmark(Baseline = true)]
    public int Envelope() => EventBatch.FromMessage(message).Entries.Count;

    [Benchmark]
    public int EnvelopeAndLatestStates()
    {
        var batch = EventBatch.FromMessage(message);
        batch.Decode(projection);
        var latest = new Dictionary<int, StateChange?>(Events);
        foreach (var decoded in batch.Following(0)) latest[decoded.Entry.AggregateId] = decoded.Change;
        return latest.Count;
    }
}
