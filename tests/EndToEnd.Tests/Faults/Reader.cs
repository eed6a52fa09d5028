using System.Net;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.TestKit;

namespace ApexShop.EndToEnd.Tests.Faults;

/// <summary>Reads pages and streams all the time; a response may be missing, but none may be wrong.</summary>
internal sealed class Reader(HttpClient queries)
{
    private static readonly string[] paths = ["/products/cursor?pageSize=100", "/orders/v2", "/products/stream"];

    public int Responses { get; private set; }

    public int Refused { get; private set; }

    public List<string> Faulty { get; } = [];

    public async Task RunAsync(CancellationToken ct)
    {
        while (!ct.IsCancellationRequested)
        {
            foreach (var path in paths) await ReadAsync(path);
            await Task.Delay(50, CancellationToken.None);
        }
    }

    private async Task ReadAsync(string path)
    {
        try
        {
            using var response = await queries.GetAsync(path, CancellationToken.None);
            if (response.StatusCode != HttpStatusCode.OK) Faulty.Add($"{path}: {(int)response.StatusCode}");
            var body = await response.Content.ReadFromJsonAsync<JsonNode>(CancellationToken.None);
            var documents = body as JsonArray ?? body!["data"]!.AsArray();
            var ids = documents.Select(document => (int)document!["id"]!).ToList();
            if (!ids.SequenceEqual(ids.Order().Distinct()))
                Faulty.Add($"{path}: ids are not in order: {string.Join(' ', ids)}");
            Responses++;
        }
        catch (Exception lost) when (ShopProcess.IsDisconnect(lost))
        {
            Refused++;
        }
    }
}
