namespace ApexShop.Queries.Api.Compression;

/// <summary>The CRC-32 of gzip (RFC 1952, section 8), which a polynomial of degree 32 modulo 2 defines.</summary>
internal static class GzipChecksum
{
    // Polynomials have their highest coefficient in the lowest bit.
    private const uint Modulus = 0xedb88320;
    private const uint One = 1u << 31;

    // One byte more multiplies the checksum of what precedes it by x^8.
    private const uint XToThe8 = One >> 8;

    /// <summary>The checksum of two parts in a row, of which the second has <paramref name="length"/> bytes.</summary>
    public static uint Combine(uint first, uint second, long length)
    {
        var (shifted, power) = (first, XToThe8);
        for (var rest = length; rest > 0; rest >>= 1)
        {
            if ((rest & 1) != 0) shifted = Multiply(shifted, power);
            power = Multiply(power, power);
        }

        return shifted ^ second;
    }

    private static uint Multiply(uint a, uint b)
    {
        var product = 0u;
        for (; a != 0; a <<= 1)
        {
            if ((a & One) != 0) product ^= b;
            b = (b & 1) != 0 ? (b >> 1) ^ Modulus : b >> 1;
        }

        return product;
    }
}
