using System.Buffers;
using System.Text.Json;
using ApexShop.ReadModels;
using BenchmarkDotNet.Attributes;

namespace ApexShop.Micro;

/// <summary>
/// A document in a response: serialized from its view, parsed and serialized again, or sent as stored bytes.
/// </summary>
[MemoryDiagnoser]
public class Json
{
    private readonly ProductView view = Samples.View(17);
    private readonly byte[] stored = Samples.Json(17);
    private readonly ArrayBufferWriter<byte> output = new(4096);

    [Benchmark(Baseline = true)]
    public int StoredBytes()
    {
        output.ResetWrittenCount();
        output.Write(stored);
        return output.WrittenCount;
    }

    [Benchmark]
    public int WrittenFromItsView()
    {
        output.ResetWrittenCount();
        using var json = new Utf8JsonWriter(output);
        JsonSerializer.Serialize(json, view, ReadModelJson.Wire.ProductView);
        return output.WrittenCount;
    }

    [Benchmark]
    public int ReadAndWritten()
    {
        output.ResetWrittenCount();
        using var json = new Utf8JsonWriter(output);
        JsonSerializer.Serialize(
            json, JsonSerializer.Deserialize(stored, ReadModelJson.Wire.ProductView)!, ReadModelJson.Wire.ProductView);
        return output.WrittenCount;
    }
}
