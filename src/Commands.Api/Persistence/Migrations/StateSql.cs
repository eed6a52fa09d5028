namespace ApexShop.Commands.Api.Persistence.Migrations;

/// <summary>The SQL functions that return an aggregate's state; each stands in a file beside its aggregate.</summary>
internal static class StateSql
{
    public static string Read(string function)
    {
        using var file = typeof(StateSql).Assembly.GetManifestResourceStream($"{function}.sql")
            ?? throw new InvalidOperationException($"{function}.sql is not embedded.");
        return new StreamReader(file).ReadToEnd();
    }
}
