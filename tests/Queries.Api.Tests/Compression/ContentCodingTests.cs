using ApexShop.Queries.Api.Compression;

namespace ApexShop.Queries.Api.Tests.Compression;

public sealed class ContentCodingTests
{
    [Theory]
    [InlineData("br", "br")]
    [InlineData("gzip", "gzip")]
    [InlineData("gzip, deflate, br, zstd", "br")]
    [InlineData("GZIP;q=1.0, BR;q=0.9", "gzip")]
    [InlineData("gzip ; q=0.2 , br ;q=0.3", "br")]
    [InlineData("*", "br")]
    [InlineData("br;q=0, *", "gzip")]
    [InlineData("br;q=0, gzip;q=0", "identity")]
    [InlineData("identity", "identity")]
    [InlineData("identity;q=1, gzip;q=0.5", "identity")]
    [InlineData("identity;q=0.5, gzip;q=0.5", "gzip")]
    [InlineData("deflate, zstd", "identity")]
    [InlineData("gzip;q=much", "identity")]
    [InlineData("", "identity")]
    public void The_coding_with_the_highest_quality_is_used(string accepted, string expected) =>
        ContentCoding.Choose(accepted).Name.ShouldBe(expected);

    [Fact]
    public void Several_headers_are_one_list() => ContentCoding.Choose(new(["deflate", "gzip"])).Name.ShouldBe("gzip");

    [Fact]
    public void Without_a_header_bytes_are_not_compressed() =>
        ContentCoding.Choose(default).ShouldBe(ContentCoding.Identity);
}
