using ApexShop.Hosting;

namespace ApexShop.Shared.Tests.Hosting;

public sealed class TransportOptionsTests
{
    [Theory]
    [InlineData("192.0.2.1")]
    [InlineData("10.0.0.0/8")]
    [InlineData("2001:db8::/32")]
    [InlineData("::1")]
    [InlineData("")]
    public void A_proxy_is_an_address_a_network_or_empty(string proxy) => Validate(proxy).Succeeded.ShouldBeTrue();

    [Theory]
    [InlineData("nginx")]
    [InlineData("10.0.0.0/33")]
    [InlineData("*")]
    public void Other_text_is_refused(string proxy) => Validate(proxy).FailureMessage!.ShouldContain(proxy);

    private static Microsoft.Extensions.Options.ValidateOptionsResult Validate(string proxy) =>
        new ProxyValidator().Validate(null, new TransportOptions { Proxies = [proxy] });
}
