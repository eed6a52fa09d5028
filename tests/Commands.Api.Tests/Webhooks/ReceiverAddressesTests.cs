using System.Net;
using System.Net.Sockets;
using ApexShop.Commands.Api.Webhooks;
using ApexShop.Commands.Api.Webhooks.Delivering;
using ApexShop.TestKit;
using ApexShop.TestKit.Clients;
using Microsoft.Extensions.Options;

namespace ApexShop.Commands.Api.Tests.Webhooks;

/// <summary>A webhook reaches public addresses, and of others only those that the settings name.</summary>
public sealed class ReceiverAddressesTests(WebhookShop shop) : IClassFixture<WebhookShop>, IAsyncLifetime
{
    public Task InitializeAsync() => shop.ResetAsync();

    public Task DisposeAsync() => Task.CompletedTask;

    [Theory]
    [InlineData("0.0.0.0")]
    [InlineData("10.1.2.3")]
    [InlineData("100.64.0.1")]
    [InlineData("127.0.0.1")]
    [InlineData("169.254.169.254")]
    [InlineData("172.16.0.1")]
    [InlineData("172.31.255.255")]
    [InlineData("192.168.0.1")]
    [InlineData("198.18.0.1")]
    [InlineData("224.0.0.1")]
    [InlineData("255.255.255.255")]
    [InlineData("::")]
    [InlineData("::1")]
    [InlineData("::ffff:127.0.0.1")]
    [InlineData("::ffff:10.0.0.1")]
    [InlineData("::127.0.0.1")]
    [InlineData("64:ff9b::a00:1")]
    [InlineData("fc00::1")]
    [InlineData("fd12:3456::1")]
    [InlineData("fe80::1")]
    [InlineData("ff02::1")]
    [InlineData("2001:db8::1")]
    [InlineData("2002:a00:1::1")]
    [InlineData("2001:0:a00:1::1")]
    public void An_address_that_is_not_public_is_not_permitted(string address) =>
        Addresses().IsPermitted(IPAddress.Parse(address), hasTls: true).ShouldBeFalse();

    [Theory]
    [InlineData("1.1.1.1")]
    [InlineData("172.32.0.1")]
    [InlineData("100.128.0.1")]
    [InlineData("2606:4700::1111")]
    [InlineData("::ffff:1.1.1.1")]
    public void A_public_address_is_permitted_with_TLS_only(string address)
    {
        Addresses().IsPermitted(IPAddress.Parse(address), hasTls: true).ShouldBeTrue();
        Addresses("10.0.0.0/8").IsPermitted(IPAddress.Parse(address), hasTls: false).ShouldBeFalse();
    }

    [Fact]
    public void An_address_in_a_private_network_of_the_settings_is_permitted()
    {
        Addresses("10.0.0.0/8").IsPermitted(IPAddress.Parse("10.1.2.3"), hasTls: false).ShouldBeTrue();
        Addresses("10.0.0.0/8").IsPermitted(IPAddress.Parse("::ffff:10.1.2.3"), hasTls: false).ShouldBeTrue();
        Addresses("10.0.0.0/8").IsPermitted(IPAddress.Parse("192.168.0.1"), hasTls: false).ShouldBeFalse();
    }

    [Theory]
    [InlineData("http://example.com/hook")]
    [InlineData("https://127.0.0.1/hook")]
    [InlineData("https://[::1]/hook")]
    [InlineData("https://2130706433/hook")]
    [InlineData("https://0x7f.1/hook")]
    [InlineData("https://user:password@example.com/hook")]
    [InlineData("https://example.com/hook#part")]
    [InlineData("https:///hook")]
    [InlineData("ftp://example.com/hook")]
    [InlineData("file:///etc/passwd")]
    [InlineData("/hook")]
    [InlineData("https://example.com/a b")]
    [InlineData("https://example.com/a\r\nx-header: 1")]
    public async Task An_address_that_can_never_be_permitted_is_refused_at_once(string url)
    {
        var answer = await shop.App.PostAsync("/admin/webhooks", new { url });

        answer.ShouldBeProblem(HttpStatusCode.BadRequest, "request.invalid");
        answer.Text.ShouldContain("\"url\"");
    }

    [Fact]
    public async Task A_name_is_checked_with_the_address_that_is_connected_to()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var process = shop.Start(("Webhooks:PrivateNetworks:0", "10.0.0.0/8"));
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var (id, _) = await WebhookShop.HookAsync(process, $"https://localhost:{port}/");

        await shop.AppendAsync(1);
        await Eventually.Holds(
            async () => (await shop.ReadWebhookAsync(id)).GetProperty("lastFailure").GetString()
                == "The address of the host is not permitted.",
            "the attempt fails");

        listener.Pending().ShouldBeFalse();
    }

    [Fact]
    public async Task A_redirect_is_not_followed()
    {
        await using var process = shop.Start();
        await using var target = await WebhookReceiver.StartAsync();
        await using var receiver = await WebhookReceiver.StartAsync();
        var (id, _) = await WebhookShop.HookAsync(process, receiver.Url);
        receiver.Respond = _ => Task.FromResult(307);
        receiver.SetHeaders = response => response.Headers.Location = target.Url;

        await shop.AppendAsync(1);
        await Eventually.Holds(async () => (await shop.UndeliveredAsync(id)).Count == 1, "the event waits");

        (await shop.UndeliveredAsync(id))[0].GetProperty("lastFailure").GetString().ShouldBe("Response 307.");
        target.Arrived.ShouldBe(0);
    }

    private static ReceiverAddresses Addresses(params string[] networks) =>
        new(Options.Create(new WebhookOptions { PrivateNetworks = networks }));
}
