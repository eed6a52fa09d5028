using System.Text.RegularExpressions;

namespace ApexShop.Architecture.Tests;

/// <summary>
/// Every HttpClient of the processes reports each failure of a connection alike. The packages for consumers have no
/// reference to the shared code: Client does it itself, and Events.Client treats all exceptions alike.
/// </summary>
public sealed partial class HttpClientTests
{
    private const string Handler = "new ConnectionResetHandler";

    [Fact]
    public void Every_client_of_the_processes_has_the_handler_for_reset_connections()
    {
        var files = Sources.Programs
            .Where(file => !file.Path.Contains("Client/", StringComparison.Ordinal) && Client().IsMatch(file.Text))
            .ToList();

        files.Count.ShouldBe(4);
        files.Where(file => file.Text.Split(Handler).Length - 1 < Client().Count(file.Text)).ShouldBeEmpty();
    }

    [GeneratedRegex(@"\bnew HttpClient\b|\bAddHttpClient\b|\bHttpClient \w+\([^)]*\) => new\(")]
    private static partial Regex Client();
}
