using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ApexShop.Queries.Api.Tests.Streaming;

/// <summary>Exports and streams of a process that stops before they have come to their end.</summary>
public sealed class StoppedExportTests(StoppedExportTests.Shop shop) : IClassFixture<StoppedExportTests.Shop>
{
    private const int StreamsAreBroken = 6;
    private const string Path = "products/export/ndjson";

    // More than the sockets hold: the answer is on its way until somebody reads it.
    public sealed class Shop : ReadShop
    {
        protected override Task SeedAsync()
        {
            var name = new string('x', 20_000);
            return PutAsync("products", [.. Enumerable.Range(1, 2000)], id => Encoding.UTF8.GetBytes($"{{\"id\":{id},\"name\":\"{name}\"}}"));
        }
    }

    [Fact]
    public async Task An_export_ends_with_a_line_that_tells_where_another_process_goes_on()
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

    [Theory]
    [InlineData("products/stream")]
    [InlineData("products/stream?sort=name")]
    public async Task A_stream_is_broken_off_so_that_it_does_not_look_whole(string path)
    {
        await using var stopping = Start();
        using var http = stopping.CreateClient();
        using var answer = await http.GetAsync(path, HttpCompletionOption.ResponseHeadersRead);
        stopping.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();

        await Should.ThrowAsync<HttpRequestException>(answer.Content.ReadAsByteArrayAsync);
    }

    [Fact]
    public async Task One_that_has_the_time_comes_to_its_end()
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
