using ApexShop.Commands.Api.Events;
using ApexShop.Commands.Api.Outbox;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Persistence;

public sealed class PersistenceRegistrationTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task PostgreSQL_ends_the_session_of_a_machine_that_vanished_within_about_ten_seconds()
    {
        await using var api = CommandsApp.Start(app.Database.Commands);
        await using var command = api.Services.GetRequiredService<NpgsqlDataSource>().CreateCommand(
            """
            SELECT string_agg(name || ' ' || setting, ', ' ORDER BY name) FROM pg_settings
            WHERE name LIKE 'tcp\_keepalives\_%' OR name = 'tcp_user_timeout'
            """);

        (await command.ExecuteScalarAsync()).ShouldBe(
            "tcp_keepalives_count 3, tcp_keepalives_idle 5, tcp_keepalives_interval 2, tcp_user_timeout 10000");
    }

    [Fact]
    public async Task The_leader_and_the_readers_of_the_log_keep_the_session_settings_of_the_connection_string()
    {
        var configured = $"{app.Database.Commands};Options=-c default_transaction_read_only=on -c jit=on";
        await using var leader = new LeaderConnections(configured);
        await using var session = await leader.OpenAsync(CancellationToken.None);
        await using var events = EventLogConnections.Create(configured, 1);
        await using var reader = await events.OpenAsync(CancellationToken.None);
        await using var show = new NpgsqlCommand(
            "SELECT current_setting('default_transaction_read_only') || ' ' || current_setting('jit')", reader);

        (await show.ExecuteScalarAsync()).ShouldBe("on off", "those that a process needs come after them");
        (await Should.ThrowAsync<PostgresException>(() =>
                session.TakeAsync(TimeSpan.FromSeconds(1), false, true, CancellationToken.None)))
            .SqlState.ShouldBe(PostgresErrorCodes.ReadOnlySqlTransaction);
    }
}
