namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>A folder of backups that is not as it was left is refused, with advice that helps.</summary>
public sealed class RepositoryFolderTests : IDisposable
{
    private const string Check = """
        as_postgres() { "$@"; }
        load_archive
        check_repository
        """;

    private const string NewFolder = "install -d -m 700";

    private const string AnotherFolder = "APEXSHOP_BACKUPS=OTHER ./apexshop backup";

    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Theory]
    [InlineData(false, "", NewFolder, AnotherFolder)]
    [InlineData(false, "1", AnotherFolder, NewFolder)]
    [InlineData(true, "1", AnotherFolder, NewFolder)]
    public async Task A_folder_that_had_backups_is_not_made_again(bool exists, string last, string advice, string not)
    {
        script.Write(".local/archive", $"REPOSITORY={script.At("backups")}\nLAST_BACKUP={last}\n");
        if (exists) Directory.CreateDirectory(script.At("backups"));

        var refused = await script.CallAsync(Check);

        refused.ExitCode.ShouldBe(1, refused.Output);
        refused.Error.ShouldContain(advice);
        refused.Error.ShouldNotContain(not);
    }

    [Fact]
    public async Task The_advised_folder_is_accepted()
    {
        script.Write(".local/archive", $"REPOSITORY={script.At("backups")}\nLAST_BACKUP=\n");
        Directory.CreateDirectory(script.At("backups"));

        (await script.CallAsync(Check)).ExitCode.ShouldBe(0);
    }
}
