using System.Buffers;
using ApexShop.Events;
using ApexShop.Projector.Batches;
using ApexShop.Projector.Products;
using BenchmarkDotNet.Attributes;

namespace ApexShop.Micro;

/// <summary>What the Projector does with a message before it asks the database: the envelope alone, and its states too.</summary>
[MemoryDiagnoser]
public class Batches
{
    private const int Events = 100;

    private readonly ProductProjection projection = new();
    private byte[] message = [];

    [GlobalSetup]
    public void Write()
    {
        var output = new ArrayBufferWriter<byte>();
        // Each product changes twice.
        CloudEvents.WriteBatch(output, Enumerable.Range(1, Events).Select(position => Samples.Event(position, position / 2)));
        message = output.WrittenSpan.ToArray();
    }

    [Benchmark(Baseline = true)]
    public int Envelope() => EventBatch.FromMessage(message).Beyond(0).Count;

    [Benchmark]
    public int EnvelopeAndLatestStates()
    {
        var latest = new Dictionary<int, IAggregateState>(Events);
        foreach (var entry in EventBatch.FromMessage(message).Beyond(0)) latest[entry.AggregateId] = projection.Read(entry);
        return latest.Count;
    }
}
