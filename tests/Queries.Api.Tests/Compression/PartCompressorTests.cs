using System.IO.Compression;
using System.Text;
using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Tests.Compression;

/// <summary>Compressed parts in a row are one compressed body, whichever parts they are.</summary>
public sealed class PartCompressorTests
{
    // Words that are in Brotli's built-in dictionary: a reference to it would mean another word in a longer body.
    private static readonly string[] words = ["information", "available", "international", "description", "category"];

    public static TheoryData<string, int> Seeds()
    {
        var data = new TheoryData<string, int>();
        foreach (var coding in ContentCoding.Compressed)
        {
            for (var seed = 1; seed <= 40; seed++) data.Add(coding.Name, seed);
        }

        return data;
    }

    [Theory, MemberData(nameof(Seeds))]
    public void Any_parts_in_a_row_are_one_body(string coding, int seed)
    {
        var random = new Random(seed);
        byte[][] parts = [.. Enumerable.Range(0, random.Next(6)).Select(_ => Part(random))];
        Decompressed(coding, Body(coding, parts)).ShouldBe([.. parts.SelectMany(part => part)]);
    }

    [Theory]
    [InlineData("br")]
    [InlineData("gzip")]
    public void The_same_part_has_the_same_bytes_wherever_it_stands(string coding)
    {
        var compressor = Compressor(coding);
        var text = Encoding.UTF8.GetBytes(string.Join(' ', Enumerable.Repeat("the same text", 500)));
        var part = compressor.Compress(text);
        part.Bytes.Length.ShouldBeLessThan(text.Length / 10);
        compressor.Compress("another part"u8);
        compressor.Compress(text).Bytes.ToArray().ShouldBe(part.Bytes.ToArray());
    }

    [Fact]
    public void The_checksum_of_parts_is_that_of_their_bytes()
    {
        // The check value of this checksum, which catalogues of them list.
        var whole = Checksum("123456789"u8);
        whole.ShouldBe(0xcbf43926);
        GzipChecksum.Combine(Checksum("1234"u8), Checksum("56789"u8), 5).ShouldBe(whole);
        GzipChecksum.Combine(0, whole, 9).ShouldBe(whole);
        GzipChecksum.Combine(whole, 0, 0).ShouldBe(whole);
    }

    private static uint Checksum(ReadOnlySpan<byte> bytes) => new GzipParts().Compress(bytes).Checksum;

    private static PartCompressor Compressor(string coding) =>
        ContentCoding.Compressed.Single(one => one.Name == coding).Parts!;

    private static byte[] Body(string coding, IEnumerable<byte[]> plain)
    {
        var compressor = Compressor(coding);
        var parts = plain.Select(part => compressor.Compress(part)).ToList();
        return
        [
            .. compressor.Begin.Span, .. parts.SelectMany(part => part.Bytes.ToArray()), .. compressor.End(parts).Span,
        ];
    }

    private static byte[] Part(Random random)
    {
        var length = random.Next(4) switch { 0 => random.Next(3), 1 => random.Next(300), _ => random.Next(300_000) };
        var bytes = new byte[length];
        if (random.Next(3) == 0)
        {
            random.NextBytes(bytes);
            return bytes;
        }

        var text = new StringBuilder();
        while (text.Length < length) text.Append(words[random.Next(words.Length)]).Append(random.Next(1000));
        return Encoding.UTF8.GetBytes(text.ToString(0, length));
    }

    private static byte[] Decompressed(string coding, byte[] body)
    {
        using Stream stream = coding == "br"
            ? new BrotliStream(new MemoryStream(body), CompressionMode.Decompress)
            : new GZipStream(new MemoryStream(body), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        stream.CopyTo(plain);
        return plain.ToArray();
    }
}
