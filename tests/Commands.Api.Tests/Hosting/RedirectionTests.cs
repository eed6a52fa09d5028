using System.Net;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Hosting;

/// <summary>A process of Production with an HTTPS endpoint.</summary>
public sealed class RedirectionTests : IDisposable
{
    private const string Unavailable = "Host=127.0.0.1;Port=1;Username=commands;Database=none";

    private readonly WebApplicationFactory<Program> api = CommandsApp.Start(Unavailable)
        .WithWebHostBuilder(host => host.UseEnvironment("Production").UseSetting("https_port", "443"));

    public void Dispose() => api.Dispose();

    [Fact]
    public async Task A_plain_request_is_redirected_to_HTTPS_except_for_probes()
    {
        api.UseKestrel();
        api.StartServer();
        using var http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false });
        http.BaseAddress = api.ClientOptions.BaseAddress;
        // In place of a listener with a certificate; the process reads the addresses with the first request.
        api.Services.GetRequiredService<IServer>().Features.Set<IServerAddressesFeature>(
            new ServerAddressesFeature { Addresses = { "https://127.0.0.1" } });

        foreach (var probe in (string[])["/health/live", "/version"])
            (await http.GetAsync(probe)).StatusCode.ShouldBe(HttpStatusCode.OK, probe);
        (await http.GetAsync("/health/ready")).StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        using var other = await http.GetAsync("/limits");
        other.StatusCode.ShouldBe(HttpStatusCode.PermanentRedirect);
        other.Headers.Location.ShouldBe(new Uri("https://127.0.0.1/limits"));
    }
}
