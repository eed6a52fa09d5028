namespace ApexShop.Queries.Api.Compression;

/// <summary>
/// The compressed forms of a response, each made when it is first used. They live as long as the response, whose cache
/// entry counts the body twice for them: so a form of more than half of the body is not kept.
/// </summary>
internal sealed class CompressedForms(ReadOnlyMemory<byte> body)
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
