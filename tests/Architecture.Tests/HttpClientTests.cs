using System.Text.RegularExpressions;

namespace ApexShop.Architecture.Tests;

/// <summary>
/// Every HttpClient of the processes reports each failure of a connection alike, and asks no proxy. The packages for
/// consumers have no reference to the shared code: Client does the first itself, and Events.Client treats all
/// exceptions alike.
/// </summary>
public sealed partial class HttpClientTests
{
    [Fact]
    public void Every_client_of_the_processes_has_the_handler_for_reset_connections_and_no_proxy()
    {
        var files = Sources.Programs
            .Where(file => !file.Path.Contains("Client/", StringComparison.Ordinal) && Client().IsMatch(file.Text))
            .ToList();

        files.Count.ShouldBe(4);
        files.Where(file => Direct().Count(file.Text) < Client().Count(file.Text)).ShouldBeEmpty();
    }

    [GeneratedRegex(@"\.AddPeerConnections\(\)|UseProxy = false[^\0]*new ConnectionResetHandler")]
    private static partial Regex Direct();

    [GeneratedRegex(@"\bnew HttpClient\b|\bAddHttpClient\b|\bHttpClient \w+\([^)]*\) => new\(")]
    private static partial Regex Client();
}
