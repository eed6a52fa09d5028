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
}
