using ApexShop.Commands.Api.Limits;
using Npgsql;

namespace ApexShop.Commands.Api.Tests.Limits;

public sealed class EmailAddressTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    [Fact]
    public async Task Letters_that_are_one_address_in_PostgreSQL_are_one_when_folded()
    {
        await using var shop = NpgsqlDataSource.Create(app.Database.Superuser);
        await using var command = shop.CreateCommand("""
            SELECT lower(chr(code)), chr(code) FROM generate_series(33, 131071) AS code
            WHERE code NOT BETWEEN 55296 AND 57343
            """);
        var letters = new List<(string Lower, string Letter)>();
        await using (var rows = await command.ExecuteReaderAsync())
        {
            while (await rows.ReadAsync()) letters.Add((rows.GetString(0), rows.GetString(1)));
        }

        letters.GroupBy(letter => letter.Lower, letter => EmailAddress.Folded(letter.Letter))
            .Where(folded => folded.Distinct().Count() > 1)
            .Select(folded => folded.Key)
            .ShouldBeEmpty();
        letters.DistinctBy(letter => letter.Lower).Count().ShouldBeLessThan(letters.Count - 1000);
    }
}
