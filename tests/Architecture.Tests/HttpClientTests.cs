namespace ApexShop.Architecture.Tests;

/// <summary>
/// Every HttpClient of the processes reports each failure of a connection alike. The packages for consumers have no
/// reference to the shared code, and do it themselves.
/// </summary>
public sealed class HttpClientTests
{
    private const string Handler = "new ConnectionResetHandler";

    private static readonly string[] clients = ["AddHttpClient(", "new HttpClient("];

    [Fact]
    public void Every_client_of_the_processes_has_the_handler_for_reset_connections()
    {
        var files = Sources.Programs.Where(file => Clients(file.Text) > 0).ToList();

        files.Count.ShouldBe(4);
        files.Where(file => file.Text.Split(Handler).Length - 1 < Clients(file.Text)).ShouldBeEmpty();
    }

    private static int Clients(string text) => clients.Sum(client => text.Split(client).Length - 1);
}
