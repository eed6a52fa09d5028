using System.Text;
using ApexShop.Load.ReadSide;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Load.Tests;

public sealed class ReadSideTests
{
    [Fact]
    public async Task Streams_of_every_format_have_all_products_of_the_seeded_shop_when_they_are_measured()
    {
        var figures = await StreamRatio.MeasureAsync(new BenchOptions(TextWriter.Null, IsQuick: true), default);
        figures.Select(figure => figure.What).ShouldContain("15,000 products, MessagePack unchanged");
    }

    [Fact]
    public async Task Both_sides_are_measured_equally_often_and_each_goes_first_every_second_time()
    {
        var order = new StringBuilder();
        var rounds = new Rounds(() => TakeAsync('c', 4), () => TakeAsync('o', 3));
        await rounds.TakeAsync(1, 4, "a second", new BenchOptions(TextWriter.Null, IsQuick: false));
        order.ToString().ShouldBe("oc" + "co" + "oc" + "co" + "oc");
        rounds.Ratios.ShouldBe([0.75, 0.75, 0.75, 0.75]);

        Task<double> TakeAsync(char who, double value)
        {
            order.Append(who);
            return Task.FromResult(value);
        }
    }

    [Fact]
    public async Task A_control_runs_a_statement_with_classes_of_characters()
    {
        await using var database = await TestDatabase.CreateAsync("classes", _ => Task.CompletedTask);
        using var control = new Pgbench(database.Queries, settings: "", clients: 1);
        var statement = new NpgsqlBatchCommand(
            "SELECT 1 / ($1 ~ '^(it''s)?[[:alpha:]]+$' AND regexp_replace($1, '[[:space:]]', '') = $2)::int")
            { Parameters = { new() { Value = "desk" }, new() { Value = "desk" } } };

        // A statement that fails ends the run.
        (await control.Statement(statement).RateAsync(TimeSpan.FromSeconds(1), default)).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Paths_are_requested_before_they_are_measured_and_only_good_responses_are_accepted()
    {
        var response = Encoding.UTF8.GetBytes(new string('x', 5000));
        await using var bare = new ControlProcess(null, false, null, ("/good", response), ("/empty", []));
        await bare.StartAsync();

        using var paths = await Paths.OfAsync(bare.Url, ["/good", "/good"], leastBody: 5000, default);
        (await File.ReadAllLinesAsync(paths.File)).ShouldBe(["/good", "/good"]);
        using var http = new HttpClient { BaseAddress = bare.Url };
        using var got = await http.GetAsync(new Uri("/good", UriKind.Relative));
        var head = got.Headers.Concat(got.Content.Headers)
            .Sum(header => $"{header.Key}: {string.Join(", ", header.Value)}\r\n".Length);
        paths.ResponseLength.ShouldBe("HTTP/1.1 200 OK\r\n".Length + head + "\r\n".Length + response.Length);

        foreach (var bad in (string[])["/empty", "/nowhere"])
        {
            await Should.ThrowAsync<HttpRequestException>(
                () => Paths.OfAsync(bare.Url, ["/good", bad], leastBody: 1, default));
        }
    }
}
