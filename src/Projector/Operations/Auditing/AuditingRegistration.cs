using ApexShop.Projector.EventLog;

namespace ApexShop.Projector.Operations.Auditing;

internal static class AuditingRegistration
{
    public static void AddAuditing(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<AuditingOptions, AuditingOptionsValidator>().BindConfiguration(AuditingOptions.Section);
        services.AddSingleton(provider =>
            new WriteSideClient(provider.GetRequiredService<IHttpClientFactory>().CreateClient(nameof(EventLogClient))));
        services.AddSingleton<BucketReader>();
        services.AddSingleton<BucketComparer>();
        services.AddSingleton<Repairer>();
        services.AddSingleton<AuditParts>();
        services.AddSingleton<AuditMetrics>();
        services.AddSingleton<Auditor>();
        services.AddHostedService<AuditSchedule>();
    }
}
