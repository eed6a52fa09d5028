using System.Buffers;
using ApexShop.Queries.Api.Streaming.Formats;
using BenchmarkDotNet.Attributes;

namespace ApexShop.Micro;

/// <summary>A segment of 500 documents encoded as MessagePack, and the writer alone.</summary>
[MemoryDiagnoser]
public class MessagePack
{
    private const int Count = 500;

    private readonly byte[] documents =
        [.. Enumerable.Range(1, Count).SelectMany(id => (byte[])[.. Samples.Json(id), (byte)'\n'])];
    private readonly ArrayBufferWriter<byte> output = new(1024 * 1024);
    private readonly MessagePackTranscoder transcoder = new();

    [Benchmark]
    public int Transcode()
    {
        output.ResetWrittenCount();
        transcoder.Write(documents, output);
        return output.WrittenCount;
    }

    [Benchmark]
    public int WriteAMapOfThree()
    {
        output.ResetWrittenCount();
        MessagePackWriter.WriteMapHeader(output, 3);
        MessagePackWriter.WriteString(output, "id"u8);
        MessagePackWriter.WriteInteger(output, 17UL);
        MessagePackWriter.WriteString(output, "price"u8);
        MessagePackWriter.WriteDouble(output, 129.90);
        MessagePackWriter.WriteString(output, "createdDate"u8);
        MessagePackWriter.WriteTimestamp(output, 1_767_323_045, 678_000_000);
        return output.WrittenCount;
    }
}
