using System.Text.Json.Nodes;
using ApexShop.Resources;
using ApexShop.TestKit;
using Npgsql;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The verbs of operators, with --json for programs.</summary>
public sealed class OperatorVerbTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>
{
    [Fact]
    public async Task Status_names_what_needs_an_operator_and_fails_then()
    {
        (await Shop.VerbAsync("status")).ShouldEndWith("No problems.\n");
        var good = JsonNode.Parse(await Shop.VerbAsync("status", "--json"))!;
        good["ok"]!.GetValue<bool>().ShouldBeTrue();
        good["problems"]!.AsArray().ShouldBeEmpty();
        ((string)good["processes"]![0]!["checks"]!["postgres"]!).ShouldBe("ok");
        good["events"]!["resources"]!["products"]!["projected"]!.GetValue<long>().ShouldBeGreaterThanOrEqualTo(0);

        await ExecuteAsync(
            """
            INSERT INTO read.dead_letters (digest, body, reason) VALUES ('d', 'b', 'for a test');
            INSERT INTO read.parked_events (position, resource, aggregate_id, reason, event)
                VALUES (900000, 'products', 900000, 'for a test', '{}'),
                    (900001, 'products', 900000, 'for a test', '{}')
            """);
        const string redisDown = "server_is_up() { [[ $1 != redis ]]; }\n";
        var (exitCode, text, _) = await Shop.ScriptAsync(redisDown + "run_verb status");
        exitCode.ShouldBe(1);
        text.ShouldContain("  Redis is stopped");
        text.ShouldContain("  Parked aggregates: 1;");
        text.ShouldContain("  Dead letters: 1;");
        (exitCode, text, _) = await Shop.ScriptAsync(redisDown + "run_verb status --json");
        exitCode.ShouldBe(1);
        var bad = JsonNode.Parse(text)!;
        bad["ok"]!.GetValue<bool>().ShouldBeFalse();
        bad["problems"]!.AsArray().Count.ShouldBe(3);
        (bad["events"]!["parkedAggregates"]!.GetValue<int>(), bad["events"]!["deadLetters"]!.GetValue<int>())
            .ShouldBe((1, 1));
        (await Shop.VerbAsync("dlq", "show", "products/900000")).ShouldContain("has version none;");

        var listed = JsonNode.Parse(await Shop.VerbAsync("dlq", "--json"))!;
        listed["parked"]!.AsArray().Single()!["id"]!.GetValue<int>().ShouldBe(900000);
        var letter = listed["deadLetters"]!.AsArray().Single()!;
        letter["times"]!.GetValue<int>().ShouldBe(1);
        (await Shop.VerbAsync("dlq", "show", $"{letter["id"]}")).ShouldContain("arrived once,");
        await ExecuteAsync("DELETE FROM read.dead_letters; DELETE FROM read.parked_events");
        await NothingIsReplayedAsync();
    }

    [Fact]
    public async Task Status_does_not_wait_for_a_table_that_another_command_has_locked()
    {
        // It ends by itself: a status that waits would find no problem then.
        await using var holder = await Shop.Database.HoldAsync(
            "SET idle_in_transaction_session_timeout = '60s'; LOCK TABLE read.dead_letters");

        var (exitCode, text, error) = await Shop.ScriptAsync("run_verb status");

        exitCode.ShouldBe(1, text + error);
        text.ShouldContain("  The tables cannot be read, or another command locks them");
    }

    [Fact]
    public async Task The_files_are_copied_only_with_space_for_the_largest_table_and_its_WAL()
    {
        var (exitCode, text, error) = await Shop.ScriptAsync("""
            postgres_data() { echo /data; }
            free_space_of() { echo 0; }
            find_postgres
            sql apexshop -c "CREATE TABLE read.large AS SELECT repeat(md5(i::text), 30) AS text
              FROM generate_series(1, 5000) AS i"
            ERASED_TABLES+=" read.large"
            (need_space_for_files) || sql apexshop -c "SELECT pg_total_relation_size('read.large') / 1048576 + 1"
            sql apexshop -c 'DROP TABLE read.large'
            """);
        exitCode.ShouldBe(0, error);
        var megabytes = int.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
        megabytes.ShouldBeGreaterThan(1);
        error.ShouldContain($"--files needs {500 + (2 * megabytes)} MB");
        error.ShouldContain($"({megabytes} for a copy of the largest table, {megabytes} for its changes in the WAL,");
    }

    [Fact]
    public async Task Audit_and_rebuild_print_JSON()
    {
        await Client.CreateAsync(Resource.Categories.Name, Bodies.Category("Rebuilt"));
        await State.ProjectedAsync();
        var rebuilt = JsonNode.Parse(await Shop.VerbAsync("rebuild", "--json"))!;
        ((string)rebuilt["state"]!).ShouldBe("done");
        JsonNode.Parse(await Shop.VerbAsync("rebuild", "status", "--json"))!["canRollBack"]!.GetValue<bool>()
            .ShouldBeTrue();

        var lines = (await Shop.VerbAsync("audit", "--json")).Trim().Split('\n').Select(line => JsonNode.Parse(line)!);
        ((string)lines.Last()["kind"]!).ShouldBe("summary");
    }

    [Fact]
    public async Task A_rollback_whose_response_was_lost_says_that_the_documents_were_exchanged()
    {
        const string statements = """
            exchanged=$(mktemp -u)
            trap 'rm -f "$exchanged"' EXIT
            admin_json() {
              case "$1 $2" in
                'GET projection') if [[ -f $exchanged ]]; then echo '{"epoch":8}'; else echo '{"epoch":7}'; fi ;;
                'POST projections/rollback?epoch=7') touch "$exchanged" && fail "The response was lost." ;;
              esac
            }
            run_verb rebuild rollback
            """;
        var (exitCode, text, error) = await Shop.ScriptAsync(statements);
        exitCode.ShouldBe(1, text + error);
        error.ShouldContain("The documents have been exchanged meanwhile");
    }

    [Theory]
    [InlineData("return 18", 1)]
    // Not before bash has started the other side of the pipe, which it would end then.
    [InlineData("sleep 1; kill -INT $$; return 130", 130)]
    public async Task An_audit_that_was_interrupted_says_how_it_continues(string end, int code)
    {
        var statements = $$"""
            operator_curl() {
              echo "${@: -1}" >&2
              echo '{"kind":"progress","resource":"products","compared":512,"next":"rows/products/17"}'
              {{end}}
            }
            run_verb audit --after rows/categories/3
            """;
        var (exitCode, _, error) = await Shop.ScriptAsync(statements);
        exitCode.ShouldBe(code);
        error.ShouldContain("/admin/audit?repair=false&after=rows/categories/3");
        error.ShouldContain("The rest: ./apexshop audit --after rows/products/17");
    }

    [Fact]
    public async Task An_audit_that_did_not_begin_says_so()
    {
        var (exitCode, text, error) = await Shop.ScriptAsync("run_verb audit --after rows/nothing/1");
        exitCode.ShouldBe(1);
        text.ShouldContain("\"after\":");
        error.ShouldContain("The audit did not begin; the reason is above.");
        error.ShouldNotContain("The rest:");
    }

    [Fact]
    public async Task Seed_prints_JSON()
    {
        // The lines of the server, as they are, and the result of the projection.
        const string statements = """
            curl() { echo '{"kind":"users","done":1,"total":1}'; }
            run_verb seed --json
            """;
        var (exitCode, text, error) = await Shop.ScriptAsync(statements);
        exitCode.ShouldBe(0, error);
        var lines = text.Trim().Split('\n').Select(line => JsonNode.Parse(line)!).ToList();
        lines.Select(line => (string)line["kind"]!).ShouldBe(["users", "projected"]);
    }

    [Theory]
    [InlineData(2, "'tills=2' is not a scale", "up", "--scale", "commands=2,tills=2")]
    [InlineData(2, "There is no log of 'tills'", "logs", "tills")]
    [InlineData(2, "'products' is neither an aggregate", "dlq", "show", "products")]
    [InlineData(2, "'9999999999' is neither an aggregate", "dlq", "show", "9999999999")]
    [InlineData(2, "'17' is not an aggregate", "dlq", "heal", "17")]
    [InlineData(2, "A position is such as rows/products/17.", "audit", "--after", "products/17")]
    [InlineData(1, "apexshop: /no/such is not a folder", "backup", "/no/such/file")]
    public async Task A_wrong_argument_is_refused_with_its_reason(int code, string reason, params string[] arguments)
    {
        var (exitCode, _, error) = await Shop.ScriptAsync("run_verb \"$@\"", arguments);
        exitCode.ShouldBe(code, error);
        error.ShouldContain(reason);
    }

    private async Task NothingIsReplayedAsync()
    {
        (await Shop.VerbAsync("dlq")).ShouldBe("Parked aggregates:\n  none\nDead letters:\n  none\n");
        var (exitCode, _, error) = await Shop.ScriptAsync("run_verb dlq replay all");
        exitCode.ShouldBe(1);
        error.ShouldContain("nothing to replay");
        (await Shop.ScriptAsync("run_verb dlq replay products/900000")).ExitCode.ShouldBe(1);
    }

    private async Task ExecuteAsync(string sql)
    {
        await using var database = NpgsqlDataSource.Create(Shop.Database.Superuser);
        await using var command = database.CreateCommand(sql);
        await command.ExecuteNonQueryAsync();
    }
}
