using ApexShop.Projector.Documents;
using ApexShop.Projector.Operations;
using ApexShop.Projector.Tests.Harness;
using Npgsql;

namespace ApexShop.Projector.Tests.Documents;

public sealed class ReadDatabaseTests(ReadStore store) : ProjectorTest(store)
{
    private string Configured => $"{Store.Database.Projector};Options=-c temp_buffers=2MB -c enable_seqscan=on";

    [Fact]
    public async Task The_pool_keeps_the_session_settings_of_the_connection_string()
    {
        await using var database = ReadDatabase.Create(Configured);
        await using var connection = await database.OpenConnectionAsync();
        await ShouldHaveBothAsync(connection);
    }

    [Fact]
    public async Task Rebuilds_and_audits_keep_the_session_settings_of_the_connection_string()
    {
        await using var connection = await new DedicatedConnections(Configured).OpenAsync(CancellationToken.None);
        await ShouldHaveBothAsync(connection);
    }

    private static async Task ShouldHaveBothAsync(NpgsqlConnection connection)
    {
        await using var command = new NpgsqlCommand(
            "SELECT current_setting('temp_buffers') || ' ' || current_setting('enable_seqscan')", connection);
        (await command.ExecuteScalarAsync()).ShouldBe("2MB off", "those that a process needs come after them");
    }
}
