using ApexShop.Resources;
using ApexShop.TestKit;
using Xunit.Abstractions;

namespace ApexShop.EndToEnd.Tests.CommandLine;

/// <summary>What the check of an archive finds.</summary>
public sealed class DamagedArchiveTests(RunningShop running, ITestOutputHelper output)
    : ShopTests(running.Shop, output), IClassFixture<RunningShop>, IAsyncLifetime
{
    private readonly ArchiveFolder folder = new(running.Shop);

    public async Task InitializeAsync()
    {
        for (var i = 0; i < 25; i++) await Client.CreateAsync(Resource.Categories.Name, Bodies.Category($"Named {i}"));
        await State.ProjectedAsync(TimeSpan.FromMinutes(1));
        await folder.AddAsync();
    }

    public Task DisposeAsync()
    {
        folder.Dispose();
        return Task.CompletedTask;
    }

    [Theory]
    [InlineData("truncate -s -5 \"$FILE\"", "its SHA-256 is not that of its manifest")]
    [InlineData(
        "printf 12345678 | dd of=\"$FILE\" seek=40 bs=1 conv=notrunc",
        "its SHA-256 is not that of its manifest")]
    [InlineData("rm \"$FILE\"", "the file is missing")]
    [InlineData("rm \"$MANIFEST\"", "it has no manifest")]
    [InlineData("rm \"$FILE\" \"$MANIFEST\"", "it does not follow the file before it, which ends with 10", 2)]
    [InlineData("change 3d", "line 3 has the position 14, where 13 was expected")]
    [InlineData("change '$d'", "it does not have the last event or the times of its name")]
    [InlineData("change '2s/}$//'", "line 2 is not a JSON object")]
    [InlineData("change '2s/\"subject\"/\"topic\"/'", "line 2 has no subject")]
    [InlineData("sed -i s/log=.*/log=000000000000/ \"$MANIFEST\"", "line 1 is of the log ")]
    [InlineData("shorten && seal", "cannot be decompressed")]
    public async Task A_damaged_file_is_found_and_named(string damage, string fault, int number = 1)
    {
        var (file, named) = (folder.Files[1], folder.Files[number]);
        const string changes = """
            seal() { sed -i "s/^sha256=.*/sha256=$(sha256_of_file "$FILE")/" "$MANIFEST"; }
            change() { gzip -dc "$FILE" | sed "$1" | gzip >"$STATE/new" && mv "$STATE/new" "$FILE" && seal; }
            shorten() { truncate -s -1 "$FILE"; }
            FILE=$2 MANIFEST=${2%.ndjson.gz}.manifest

            """;

        var (exitCode, _, error) = await Shop.ScriptAsync(
            $"{changes}{damage}\nrun_verb events verify \"$1\"", folder.Path, file);

        exitCode.ShouldBe(1, error);
        error.ShouldContain($"{named}: {fault}");
    }
}
