using System.Text;
using System.Text.Json;
using Npgsql;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>Exports that fail, on a table larger than any socket buffer.</summary>
public sealed class BrokenExportTests(BrokenExportTests.Shop shop) : IClassFixture<BrokenExportTests.Shop>
{
    private const int ExportBroken = 6002;
    private const string Path = "products/export/ndjson";

    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync()
        {
            var name = new string('x', 20_000);
            return PutAsync(
                "products",
                [.. Enumerable.Range(1, 2000)],
                id => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{name}\"}}"));
        }

        private protected override QueriesApp Configure(QueriesApp queries) =>
            queries.With("Streaming:Connections", 1).With("Streaming:SegmentMegabytes", 0);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1_300_021)]
    [InlineData(7_654_321)]
    public async Task What_a_client_read_before_it_was_disconnected_and_the_rest_are_the_whole_byte_for_byte(int cutAt)
    {
        var whole = await shop.Http.GetByteArrayAsync(Path);
        var read = new byte[cutAt];
        using (var answer = await shop.Http.GetAsync(Path, HttpCompletionOption.ResponseHeadersRead))
        await using (var body = await answer.Content.ReadAsStreamAsync())
        {
            await body.ReadExactlyAsync(read);
        }

        var kept = read.AsSpan(0, read.AsSpan().LastIndexOf((byte)'\n') + 1).ToArray();
        var rest = await shop.Http.GetByteArrayAsync($"{Path}?after={LastId(kept)}");
        kept.Concat(rest).SequenceEqual(whole).ShouldBeTrue();
    }

    [Fact]
    public async Task After_a_failure_the_last_line_has_the_error_and_the_export_can_continue_after_the_line_before()
    {
        var (lines, error) = await BrokenAsync(
            Path,
            () => shop.ExecuteAsync("ALTER TABLE read.products RENAME TO away"),
            () => shop.ExecuteAsync("ALTER TABLE read.away RENAME TO products"));
        Members(error).ShouldBe(["code", "after", "traceId"]);
        error.GetProperty("code").GetString().ShouldBe("internal");
        error.GetProperty("traceId").GetString().ShouldNotBeNullOrEmpty();
        error.GetProperty("after").GetInt32().ShouldBe(LastId(lines));

        var rest = await shop.Http.GetByteArrayAsync($"{Path}?after={error.GetProperty("after")}");
        lines.Concat(rest).SequenceEqual(await shop.Http.GetByteArrayAsync(Path)).ShouldBeTrue();
    }

    [Fact]
    public async Task A_database_that_becomes_unavailable_during_an_export_is_named_in_the_error()
    {
        var (_, error) = await BrokenAsync(Path, CutOffAsync, () => Task.CompletedTask);
        error.GetProperty("code").GetString().ShouldBe("database.unavailable");
    }

    [Fact]
    public async Task In_another_order_than_that_of_ids_an_export_cannot_be_resumed()
    {
        var (_, error) = await BrokenAsync($"{Path}?sort=name", CutOffAsync, () => Task.CompletedTask);
        Members(error).ShouldBe(["code", "traceId"]);
    }

    private static IEnumerable<string> Members(JsonElement error) =>
        error.EnumerateObject().Select(member => member.Name);

    /// <summary>The complete lines of an export that failed, and the error of its last line.</summary>
    private async Task<(byte[] Lines, JsonElement Error)> BrokenAsync(string path, Func<Task> breaks, Func<Task> mends)
    {
        using var answer = await shop.Http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);
        await breaks();
        byte[] bytes;
        int[] logged;
        try
        {
            bytes = await answer.Content.ReadAsByteArrayAsync();
        }
        finally
        {
            await mends();
            logged = [.. shop.App.Failures];
            shop.App.Logged.Clear();
        }

        logged.ShouldBe([ExportBroken]);
        bytes[^1].ShouldBe((byte)'\n');
        var end = bytes.AsSpan(..^1).LastIndexOf((byte)'\n') + 1;
        LastId(bytes.AsSpan(0, end)).ShouldBeGreaterThan(0);
        return (bytes[..end], JsonElement.Parse(bytes.AsSpan(end)).GetProperty("error"));
    }

    private static int LastId(ReadOnlySpan<byte> lines)
    {
        if (lines.IsEmpty) return 0;
        var last = lines[..^1];
        return JsonElement.Parse(last[(last.LastIndexOf((byte)'\n') + 1)..]).GetProperty("id").GetInt32();
    }

    private async Task CutOffAsync()
    {
        await using var connection = new NpgsqlConnection(shop.Database.Superuser);
        await connection.OpenAsync();
        await using var command = new NpgsqlCommand(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'apexshop-queries-streams'
            """,
            connection);
        await command.ExecuteNonQueryAsync();
    }
}
