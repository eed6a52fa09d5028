using Npgsql;

namespace ApexShop.Projector.Documents;

/// <summary>Connections to schema <c>read</c> that keep their statements prepared.</summary>
internal static class ReadDatabase
{
    public static NpgsqlDataSource Create(string connectionString) =>
        new NpgsqlDataSourceBuilder(new NpgsqlConnectionStringBuilder(connectionString)
        {
            ApplicationName = "apexshop-projector",
            MaxAutoPrepare = 100,
            AutoPrepareMinUsages = 2,
            NoResetOnClose = true,
            // Every read here goes by a key. A plan that was prepared while a table was small would scan it for ever.
            Options = "-c enable_seqscan=off -c jit=off",
        }.ConnectionString) { Name = "projector" }.Build();
}
