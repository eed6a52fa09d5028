namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// The coded forms of one answer, each made when it is first asked for. They are kept as long as the answer is, whose
/// place in the cache counts its bytes twice for it: a form of more than half of them is not kept.
/// </summary>
internal sealed class CodedForms(ReadOnlyMemory<byte> body)
{
    private byte[]? brotli;
    private byte[]? gzip;

    public ReadOnlyMemory<byte> In(ContentCoding coding) => coding.Compressor switch
    {
        null => body,
        BrotliCompressor => brotli ?? Make(coding.Compressor, ref brotli),
        _ => gzip ?? Make(coding.Compressor, ref gzip),
    };

    private byte[] Make(Compressor compressor, ref byte[]? kept)
    {
        var made = compressor.Compress(body);
        if (made.Length <= body.Length / 2) Volatile.Write(ref kept, made);
        return made;
    }
}
