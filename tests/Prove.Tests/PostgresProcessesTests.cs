using ApexShop.Prove.Faults;
using ApexShop.TestKit;
using Npgsql;

namespace ApexShop.Prove.Tests;

/// <summary>The faults pause-postgres and hang-postgres on a PostgreSQL that is no cluster.</summary>
public sealed class PostgresProcessesTests
{
    private static readonly TimeSpan pause = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task An_open_session_does_not_answer_while_its_server_is_paused()
    {
        await using var server = await PrivatePostgres.StartAsync();
        await using var session = new NpgsqlConnection($"{server.Superuser};Pooling=false");
        await session.OpenAsync();
        var data = await AskAsync(session, "SHOW data_directory");

        Task<string> answer;
        try
        {
            await PostgresProcesses.SignalAsync(data, "STOP");
            answer = AskAsync(session, "SELECT 'answered'");
            await Task.Delay(pause);
            answer.IsCompleted.ShouldBeFalse();
        }
        finally
        {
            await PostgresProcesses.SignalAsync(data, "CONT");
        }

        (await answer).ShouldBe("answered");
    }

    private static async Task<string> AskAsync(NpgsqlConnection session, string sql)
    {
        await using var command = new NpgsqlCommand(sql, session);
        return (string)(await command.ExecuteScalarAsync())!;
    }
}
