using System.Text;
using System.Text.Json;
using ApexShop.TestKit;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>Exports and streams of a process that stops before they are complete.</summary>
public sealed class StoppedExportTests(StoppedExportTests.Shop shop) : IClassFixture<StoppedExportTests.Shop>
{
    private const int StreamsAreBroken = 6;
    private const string Path = "products/export/ndjson";

    // More than the sockets can buffer: the response is incomplete until it is read.
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
    }

    [Fact]
    public async Task An_export_ends_with_a_line_with_the_id_where_another_process_can_continue()
    {
        await using var stopping = Start();
        using var http = stopping.CreateClient();
        using var answer = await http.GetAsync(Path, HttpCompletionOption.ResponseHeadersRead);
        stopping.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();
        var bytes = await answer.Content.ReadAsByteArrayAsync();

        var end = bytes.AsSpan(..^1).LastIndexOf((byte)'\n') + 1;
        var error = JsonElement.Parse(bytes.AsSpan(end)).GetProperty("error");
        error.GetProperty("code").GetString().ShouldBe("process.stopping");
        var rest = await shop.Http.GetByteArrayAsync($"{Path}?after={error.GetProperty("after")}");
        bytes[..end].Concat(rest).SequenceEqual(await shop.Http.GetByteArrayAsync(Path)).ShouldBeTrue();
        stopping.Failures.Where(id => id / 1000 == StreamsAreBroken).ShouldBeEmpty("a stop is no failure");
    }

    [Fact]
    public async Task An_export_that_waits_for_its_next_documents_ends_with_that_line_too()
    {
        await using var stopping = Start();
        using var http = stopping.CreateClient();
        using var answer = await http.GetAsync(Path, HttpCompletionOption.ResponseHeadersRead);
        await using var locked = await shop.LockAsync("read.products");
        var reading = answer.Content.ReadAsStringAsync();
        await Eventually.Holds(async () => await shop.WaitingAsync() > 0, "the next documents are awaited");
        stopping.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();

        var last = JsonElement.Parse((await reading).TrimEnd().Split('\n')[^1]);
        last.GetProperty("error").GetProperty("code").GetString().ShouldBe("process.stopping");
        stopping.Failures.Where(id => id / 1000 == StreamsAreBroken).ShouldBeEmpty("a stop is no failure");
    }

    [Theory]
    [InlineData("products/stream")]
    [InlineData("products/stream?sort=name")]
    public async Task A_stream_is_aborted_so_that_it_does_not_look_complete(string path)
    {
        await using var stopping = Start();
        using var http = stopping.CreateClient();
        using var answer = await http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);
        stopping.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();

        await Should.ThrowAsync<HttpRequestException>(answer.Content.ReadAsByteArrayAsync);
    }

    [Fact]
    public async Task A_stream_that_has_enough_time_is_completed()
    {
        await using var stopping = Start().With("Stopping:StreamSeconds", 60);
        using var http = stopping.CreateClient();
        using var answer = await http.GetAsync(Path, HttpCompletionOption.ResponseHeadersRead);
        stopping.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();
        var bytes = await answer.Content.ReadAsByteArrayAsync();

        var whole = await shop.Http.GetByteArrayAsync(Path);
        bytes.SequenceEqual(whole).ShouldBeTrue();
        answer.Headers.ConnectionClose.ShouldBeNull("it began before the stop");
    }

    private QueriesApp Start() => new QueriesApp(shop.Database.Queries).With("Stopping:StreamSeconds", 0);
}
