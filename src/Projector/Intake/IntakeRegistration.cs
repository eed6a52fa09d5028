namespace ApexShop.Projector.Intake;

internal static class IntakeRegistration
{
    public static void AddIntake(this IServiceCollection services)
    {
        services.AddOptionsWithValidateOnStart<MessagingOptions, MessagingOptionsValidator>()
            .BindConfiguration(MessagingOptions.Section);
        services.AddSingleton<DeadLetters>();
        services.AddSingleton<EventConsumer>();
        services.AddSingleton<DeadLetterConsumer>();
        services.AddSingleton<BrokerConnection>();
        services.AddHostedService(provider => provider.GetRequiredService<BrokerConnection>());
        services.AddHealthChecks().AddCheck<BrokerConnection>("rabbitmq");
        services.AddHostedService<QueueGauges>();
    }
}
