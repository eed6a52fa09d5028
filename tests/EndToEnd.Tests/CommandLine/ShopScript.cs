using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>The functions of ./apexshop on a shop that ./apexshop did not start.</summary>
internal static class ShopScript
{
    private const string Preamble = """
        set -euo pipefail
        ROOT=$0
        for part in "$ROOT"/eng/cli/*.sh; do source "$part"; done
        load_verbs
        STATE=$1 COMMANDS_URL=$2 QUERIES_URL=$3 PROJECTOR_URL=$4 ADMIN_KEY=$5
        export PGHOST=$6 PGPORT=$7 PGUSER=$8 PGPASSWORD=$9 PGDATABASE=${10}
        shift 10
        for name in $SERVER_PORTS; do printf -v "$name" 1; done
        ENGINE=native SCALE='' PROCESSES="commands projector queries"
        load_settings() { find_postgres; }
        is_running() { :; }
        pid_of() { echo 1; }
        server_responds() { server_is_up "$1"; }
        process_url() { local url="$(tr a-z A-Z <<<"$1")_URL" && echo "${!url}"; }
        dump_tables() { "$PG_BIN/pg_dump" -n shop -Fc; }
        sql() { "$PG_BIN/psql" -XqAt -v ON_ERROR_STOP=1 "${@:2}"; }

        """;

    /// <summary>Runs a verb and expects that it succeeds; its output.</summary>
    public static async Task<string> VerbAsync(this Shop shop, params string[] arguments)
    {
        var (exitCode, output, error) = await shop.ScriptAsync("run_verb \"$@\"", arguments);
        exitCode.ShouldBe(0, error + output);
        return output;
    }

    /// <summary>Runs statements with all functions of the script.</summary>
    public static async Task<ProgramRun> ScriptAsync(this Shop shop, string statements, params string[] arguments)
    {
        var state = Directory.CreateTempSubdirectory("apexshop cli ");
        var database = new NpgsqlConnectionStringBuilder(shop.Database.Superuser);
        // Ctrl-C is not ignored, as processes do that a shell has started in the background.
        var run = await ProgramRun.OfAsync(ProgramRun.StartOf("env", [
            "--default-signal=INT", "bash", "-c", Preamble + statements, Repository.Root, state.FullName,
            Address(shop.Commands), Address(shop.Queries), Address(shop.Projector), TestKeys.Everything,
            database.Host!, $"{database.Port}", database.Username!, database.Password!, shop.Database.Name,
            .. arguments,
        ]));
        state.Delete(recursive: true);
        return run;
    }

    private static string Address(ShopProcess process) => process.Url.ToString().TrimEnd('/');
}
