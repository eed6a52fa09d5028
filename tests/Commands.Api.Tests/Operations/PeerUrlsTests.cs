using ApexShop.TestKit;

namespace ApexShop.Commands.Api.Tests.Operations;

public sealed class PeerUrlsTests
{
    [Theory]
    [InlineData("Queries", "queries:8080")]
    [InlineData("Queries", "/queries")]
    [InlineData("Queries", "")]
    [InlineData("Projector", "ftp://projector")]
    public void An_address_that_no_request_could_reach_stops_the_start(string section, string url) =>
        StartupFailure.MessageOf(() => Start($"{section}:Urls:0", url)).ShouldContain("http or https");

    private static void Start(string key, string value)
    {
        using var app = CommandsApp.Start("Host=127.0.0.1;Port=1;Username=none;Timeout=1", (key, value));
        app.StartServer();
    }
}
