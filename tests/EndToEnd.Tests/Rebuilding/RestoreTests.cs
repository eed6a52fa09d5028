using System.Net.Http.Json;
using System.Text.Json.Nodes;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.Rebuilding;

/// <summary>
/// Only the write database is restored to an earlier state; the documents contain later changes.
/// </summary>
public sealed class RestoreTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    // Copies every table of the write side, and the values of its sequences.
    private const string BackupSql = """
        CREATE SCHEMA backup;
        DO $$ DECLARE t record; BEGIN
            FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'shop' LOOP
                EXECUTE format('CREATE TABLE backup.%I AS TABLE shop.%I', t.tablename, t.tablename);
            END LOOP;
        END $$;
        CREATE TABLE backup.all_sequences AS
            SELECT sequencename::text AS name, coalesce(last_value, start_value) AS value
            FROM pg_sequences WHERE schemaname = 'shop';
        """;

    private const string RestoreSql = """
        SET session_replication_role = replica;
        DO $$ DECLARE t record; BEGIN
            FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'shop' LOOP
                EXECUTE format('TRUNCATE shop.%I CASCADE', t.tablename);
            END LOOP;
            FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'shop' LOOP
                EXECUTE format('INSERT INTO shop.%I OVERRIDING SYSTEM VALUE SELECT * FROM backup.%I',
                    t.tablename, t.tablename);
            END LOOP;
            PERFORM setval(format('shop.%I', name)::regclass, value) FROM backup.all_sequences;
        END $$;
        SET session_replication_role = origin;
        DROP SCHEMA backup CASCADE;
        """;

    [Fact]
    public async Task The_documents_come_to_equal_the_restored_tables_also_where_positions_and_ids_are_used_again()
    {
        var traffic = await Traffic.PrepareAsync(Shop, products: 15, users: 5, stock: 500);
        await WriteAsync(traffic, 60);
        await State.ProjectedAsync();
        await ExecuteAsync(BackupSql);
        // Changes that the restore loses.
        await WriteAsync(traffic, 80);
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Lost"));
        await State.ProjectedAsync();
        var epoch = await Shop.EpochAsync();

        await Shop.Commands.KillAsync();
        await ExecuteAsync(RestoreSql);
        await Shop.Commands.StartAsync();
        // First fewer changes than were lost, then more: positions end before the applied ones, then exceed them.
        var after = await Traffic.PrepareAsync(Shop, products: 5, users: 2, stock: 500);
        await WriteAsync(after, 20);
        await Eventually.Holds(
            async () => await Shop.EpochAsync() > epoch, "the Projector noticed and rebuilt", TimeSpan.FromMinutes(1));
        await WriteAsync(after, 150);

        await Eventually.Holds(
            async () => await IsSettledAsync(),
            "the log and the documents are consistent again", TimeSpan.FromMinutes(1));
        await State.ProjectedAsync(TimeSpan.FromMinutes(1));
        await State.LogIsWholeAsync();
        await State.DocumentsEqualTablesAsync();
        ((string)(await Shop.RebuiltAsync())["cause"]!).ShouldStartWith("Automatic: ");
        (await Shop.Queries.Http.GetStringAsync("/categories/stream?limit=2000")).ShouldNotContain("Lost");
    }

    private async Task<bool> IsSettledAsync()
    {
        using var response = await Shop.Projector.Http.GetAsync("/health/ready");
        if (!response.IsSuccessStatusCode) return false;
        var ready = await response.Content.ReadFromJsonAsync<JsonNode>();
        var projection = await Shop.Commands.Http.GetFromJsonAsync<JsonNode>("/admin/projection");
        return (string)ready!["checks"]!["documentsOfThisLog"]! == "ok" && projection!["logBreak"] is null;
    }

    private static async Task WriteAsync(Traffic traffic, int writes)
    {
        var gate = new WriteGate();
        gate.AllowUpTo(writes);
        await traffic.WriteAsync(gate, writes, writers: 3, static (client, random) => client.AnythingAsync(random));
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var connection = new NpgsqlConnection(Shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(sql, connection) { CommandTimeout = 120 };
        await command.ExecuteNonQueryAsync();
    }
}
