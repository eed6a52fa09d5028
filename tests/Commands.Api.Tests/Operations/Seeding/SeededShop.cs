using System.Net;
using System.Text.Json;

namespace ApexShop.Commands.Api.Tests.Operations.Seeding;

/// <summary>The API after POST /admin/seed.</summary>
public sealed class SeededShop : IAsyncLifetime
{
    /// <summary>Selects one hash of the whole shop: ids, rows and events, without the salted password hash.</summary>
    public const string Fingerprint =
        """
        SELECT md5(string_agg(line, chr(10) ORDER BY line)) FROM (
            SELECT 'categories' || c::text AS line FROM shop.categories c
            UNION ALL SELECT 'users' || shop.user_state(u)::text FROM shop.users u
            UNION ALL SELECT 'products' || p::text FROM shop.products p
            UNION ALL SELECT 'orders' || o::text FROM shop.orders o
            UNION ALL SELECT 'items' || i::text FROM shop.order_items i
            UNION ALL SELECT 'reviews' || r::text FROM shop.reviews r
            UNION ALL SELECT 'outbox' || resource || type || data::text FROM shop.outbox
        ) AS lines
        """;

    public CommandsApp App { get; } = new();

    public List<JsonElement> Lines { get; private set; } = [];

    public async Task InitializeAsync()
    {
        await App.InitializeAsync();
        Lines = await SeedAsync(App);
    }

    public Task DisposeAsync() => App.DisposeAsync();

    /// <summary>Seeds the shop and reads the lines of the response.</summary>
    public static async Task<List<JsonElement>> SeedAsync(CommandsApp app)
    {
        var answer = await app.SendAsync(HttpMethod.Post, "/admin/seed", null);
        answer.Status.ShouldBe(HttpStatusCode.OK, answer.Text);
        answer.MediaType.ShouldBe("application/x-ndjson");
        return [
            .. answer.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => JsonDocument.Parse(line).RootElement),
        ];
    }
}
