namespace ApexShop.Architecture.Tests.CommandLine;

/// <summary>`doctor` reports what keeps `up` from starting this shop.</summary>
public sealed class DoctorTests : IDisposable
{
    private readonly ScriptCopy script = new();

    public void Dispose() => script.Dispose();

    [Fact]
    public async Task A_shop_whose_servers_are_in_Docker_needs_an_engine()
    {
        script.Write(".local/engine", "SERVERS=docker\n");

        var check = await script.CallAsync("load_settings\ndoctor_servers");

        check.ExitCode.ShouldBe(1, check.Output + check.Error);
        check.Output.ShouldContain("  MISSING   Docker");
    }

    [Fact]
    public async Task A_shop_needs_the_PostgreSQL_that_created_its_data()
    {
        script.Write(".local/engine", "SERVERS=native\n");
        script.Write(".local/postgres/version", "99\n");

        var check = await script.CallAsync("load_settings\ncan_install() { false; }\ndoctor_servers");

        check.ExitCode.ShouldBe(1, check.Output + check.Error);
        check.Output.ShouldContain("apt-get install --no-install-recommends postgresql-99");
    }
}
