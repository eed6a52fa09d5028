using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Tests.EventLog;

public sealed class EventLogOptionsTests
{
    [Theory]
    [InlineData("http://commands:5100", true)]
    [InlineData("https://commands.example/", true)]
    [InlineData("http://commands:5100/shop", false)]
    [InlineData("http://commands:5100/?a=b", false)]
    [InlineData("commands:5100", false)]
    [InlineData("/commands", false)]
    public void An_address_of_Commands_Api_is_a_URL_without_a_path(string address, bool isValid)
    {
        var (good, given) = (new Uri("http://commands"), new Uri(address, UriKind.RelativeOrAbsolute));

        Validate(new() { Url = given, ApiKey = "key" }).ShouldBe(isValid);
        Validate(new() { Url = good, Fallbacks = [good, given], ApiKey = "key" }).ShouldBe(isValid);
    }

    private static bool Validate(EventLogOptions options) =>
        new EventLogOptionsValidator().Validate(null, options).Succeeded;
}
