using ApexShop.Projector.Documents;
using ApexShop.Projector.Tests.Harness;

namespace ApexShop.Projector.Tests.Documents;

public sealed class ReadDatabaseTests(ReadStore store) : ProjectorTest(store)
{
    [Fact]
    public async Task The_pool_keeps_the_session_settings_of_the_connection_string()
    {
        var configured = $"{Store.Database.Projector};Options=-c statement_timeout=54321";
        await using var database = ReadDatabase.Create(configured);
        await using var command = database.CreateCommand("SHOW statement_timeout");

        (await command.ExecuteScalarAsync()).ShouldBe("54321ms");
    }
}
