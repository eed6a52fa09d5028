namespace ApexShop.Containers.Tests;

/// <summary>The clustered shape with an empty shop.</summary>
public sealed class ClusteredShop() : ComposedShop("compose.yaml", "compose.cluster.yaml")
{
    /// <summary>The result of a statement on a server of PostgreSQL.</summary>
    public async Task<string> SqlAsync(string service, string statement) => (await ComposeAsync(
        "exec", "-T", service, "psql", "-XqAt", "-U", "postgres", "-d", "apexshop", "-c", statement)).Trim();

    protected override async Task StartAsync()
    {
        await Docker.RunAsync(Folder, Variables, "sh", "new-env.sh");
        await Docker.RunAsync(
            Folder, Variables, "sh", "-c",
            "docker compose up -d --build --wait || { docker compose logs --tail 30 >&2; exit 1; }");
    }
}
